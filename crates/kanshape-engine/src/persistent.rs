//! The persistent collections: a copy costs next to nothing, and shares what neither side has changed since. It is the one
//! place that names the crate of those that are not written here.

use smallvec::SmallVec;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// A set in order whose copies share what neither has changed since.
pub use im::OrdSet;

/// A map whose copies share what neither has changed since, with a fast hasher: its keys are the engine's own numbers.
pub type HashMap<K, V> =
    im::GenericHashMap<K, V, rustc_hash::FxBuildHasher, im::shared_ptr::DefaultSharedPtr>;

/// Children of an inner node of a vector, as a power of two. A copy of a node counts each of its children once more.
const FAN_BITS: u32 = 5;
const FAN: usize = 1 << FAN_BITS;

/// Members of a page, as a power of two. A page is written by whoever owns it alone, and is copied before otherwise.
const PAGE_BITS: u32 = 4;
const PAGE: usize = 1 << PAGE_BITS;

/// A vector whose copies share what neither has changed since.
///
/// It is a tree of pages. It grows and shrinks at its end only, so that all pages but the last one are full, and a
/// place says by its bits where a member is.
pub struct Vector<T> {
    root: Node<T>,
    len: usize,
    /// The levels of inner nodes above the pages.
    height: u32,
}

type Page<T> = SmallVec<[T; PAGE]>;

enum Node<T> {
    Page(Arc<Page<T>>),
    Inner(Arc<SmallVec<[Node<T>; FAN]>>),
    /// Of a vector without members.
    Empty,
}

impl<T> Clone for Node<T> {
    #[inline]
    fn clone(&self) -> Node<T> {
        match self {
            Node::Page(page) => Node::Page(Arc::clone(page)),
            Node::Inner(inner) => Node::Inner(Arc::clone(inner)),
            Node::Empty => Node::Empty,
        }
    }
}

/// The child of a node of this height in which a place is.
#[inline]
const fn child(place: usize, height: u32) -> usize {
    (place >> (PAGE_BITS + (height - 1) * FAN_BITS)) % FAN
}

/// How many members a node of this height has when it is full.
#[inline]
const fn room(height: u32) -> usize {
    1 << (PAGE_BITS + height * FAN_BITS)
}

impl<T> Node<T> {
    /// The page of a place in a node of this height.
    #[inline]
    fn page(&self, place: usize, mut height: u32) -> &[T] {
        let mut node = self;
        loop {
            match node {
                Node::Page(page) => return page,
                Node::Inner(inner) => node = &inner[child(place, height)],
                Node::Empty => return &[],
            }
            height = height.saturating_sub(1);
        }
    }
}

impl<T: Clone> Node<T> {
    /// The same to be written.
    #[inline]
    fn page_mut(&mut self, place: usize, mut height: u32) -> &mut [T] {
        let mut node = self;
        loop {
            match node {
                Node::Page(page) => return Arc::make_mut(page).as_mut_slice(),
                Node::Inner(inner) => node = &mut Arc::make_mut(inner)[child(place, height)],
                Node::Empty => return &mut [],
            }
            height = height.saturating_sub(1);
        }
    }

    /// A node of this height with one member.
    fn of_one(member: T, height: u32) -> Node<T> {
        let mut page = SmallVec::new();
        page.push(member);
        (0..height).fold(Node::Page(Arc::new(page)), |node, _| {
            let mut inner = SmallVec::new();
            inner.push(node);
            Node::Inner(Arc::new(inner))
        })
    }

    /// Puts a member into the next place of a node of this height, which has room for it.
    fn push(&mut self, place: usize, height: u32, member: T) {
        let mut node = self;
        for height in (1..=height).rev() {
            let Node::Inner(inner) = node else { return };
            let inner = Arc::make_mut(inner);
            let at = child(place, height);
            if at == inner.len() {
                inner.push(Node::of_one(member, height - 1));
                return;
            }
            node = &mut inner[at];
        }
        if let Node::Page(page) = node {
            Arc::make_mut(page).push(member);
        }
    }

    /// Leaves the first members of a node of this height, at least one.
    fn truncate(&mut self, len: usize, height: u32) {
        let mut node = self;
        for height in (1..=height).rev() {
            let Node::Inner(inner) = node else { return };
            let inner = Arc::make_mut(inner);
            let last = child(len - 1, height);
            inner.truncate(last + 1);
            node = &mut inner[last];
        }
        if let Node::Page(page) = node {
            Arc::make_mut(page).truncate((len - 1) % PAGE + 1);
        }
    }
}

impl<T> Clone for Vector<T> {
    #[inline]
    fn clone(&self) -> Vector<T> {
        Vector {
            root: self.root.clone(),
            len: self.len,
            height: self.height,
        }
    }
}

impl<T> Default for Vector<T> {
    fn default() -> Vector<T> {
        Vector::new()
    }
}

impl<T> Vector<T> {
    /// A vector without members.
    pub const fn new() -> Vector<T> {
        Vector {
            root: Node::Empty,
            len: 0,
            height: 0,
        }
    }

    /// How many members there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The member in this place.
    #[inline]
    pub fn get(&self, place: usize) -> Option<&T> {
        match place < self.len {
            true => self.root.page(place, self.height).get(place % PAGE),
            false => None,
        }
    }

    /// The members, in their order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.range(0)
    }

    /// The members from this place on, without a visit to those before.
    pub fn range(&self, first: usize) -> Iter<'_, T> {
        Iter {
            vector: self,
            page: &[],
            next: first.min(self.len),
            end: self.len,
        }
    }
}

impl<T: Clone> Vector<T> {
    /// Adds a member at the end.
    #[inline]
    pub fn push_back(&mut self, member: T) {
        let place = self.len;
        self.len += 1;
        if place == 0 {
            self.root = Node::of_one(member, 0);
            self.height = 0;
            return;
        }
        if place == room(self.height) {
            let mut inner = SmallVec::new();
            inner.push(std::mem::replace(&mut self.root, Node::Empty));
            self.root = Node::Inner(Arc::new(inner));
            self.height += 1;
        }
        self.root.push(place, self.height, member);
    }

    /// Takes the last member off.
    pub fn pop_back(&mut self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        let member = self.get(last).cloned();
        self.truncate(last);
        member
    }

    /// Leaves the first members only.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.len = len;
        match len {
            0 => self.root = Node::Empty,
            _ => self.root.truncate(len, self.height),
        }
    }

    /// Leaves those only of which this holds.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if !self.iter().all(&mut keep) {
            *self = self.iter().filter(|member| keep(member)).cloned().collect();
        }
    }
}

impl<T> Index<usize> for Vector<T> {
    type Output = T;

    #[inline]
    fn index(&self, place: usize) -> &T {
        &self.root.page(place, self.height)[place % PAGE]
    }
}

impl<T: Clone> IndexMut<usize> for Vector<T> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut T {
        &mut self.root.page_mut(place, self.height)[place % PAGE]
    }
}

impl<T: fmt::Debug> fmt::Debug for Vector<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: Clone> Extend<T> for Vector<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        members
            .into_iter()
            .for_each(|member| self.push_back(member));
    }
}

impl<T: Clone> FromIterator<T> for Vector<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Vector<T> {
        let mut vector = Vector::new();
        vector.extend(members);
        vector
    }
}

/// The members of a vector: [`Vector::iter`].
pub struct Iter<'v, T> {
    vector: &'v Vector<T>,
    /// The page of the next member, once it is known.
    page: &'v [T],
    next: usize,
    end: usize,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter { ..*self }
    }
}

impl<'v, T> Iterator for Iter<'v, T> {
    type Item = &'v T;

    #[inline]
    fn next(&mut self) -> Option<&'v T> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next % PAGE;
        if at == 0 || self.page.is_empty() {
            self.page = self.vector.root.page(self.next, self.vector.height);
        }
        self.next += 1;
        self.page.get(at)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.next;
        (left, Some(left))
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.vector.get(self.end)
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<'v, T> IntoIterator for &'v Vector<T> {
    type Item = &'v T;
    type IntoIter = Iter<'v, T>;

    fn into_iter(self) -> Iter<'v, T> {
        self.iter()
    }
}

/// The members of a vector that is used up.
pub struct Members<T> {
    vector: Vector<T>,
    next: usize,
}

impl<T: Clone> Iterator for Members<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let member = self.vector.get(self.next).cloned();
        self.next += 1;
        member
    }
}

impl<T: Clone> IntoIterator for Vector<T> {
    type Item = T;
    type IntoIter = Members<T>;

    fn into_iter(self) -> Members<T> {
        Members {
            vector: self,
            next: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FAN, PAGE, Vector};
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Push(u32),
        Many(usize),
        Pop,
        Truncate(usize),
        Set(usize, u32),
        Snapshot,
        Back,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<u32>().prop_map(Step::Push),
            1 => (0..3 * PAGE * FAN).prop_map(Step::Many),
            1 => Just(Step::Pop),
            1 => any::<usize>().prop_map(Step::Truncate),
            4 => (any::<usize>(), any::<u32>()).prop_map(|(i, x)| Step::Set(i, x)),
            1 => Just(Step::Snapshot),
            1 => Just(Step::Back),
        ]
    }

    proptest! {
        /// The operations that the store uses, against `Vec` as the model, snapshots included.
        #[test]
        fn vector_behaves_like_vec(steps in prop::collection::vec(step(), 0..200)) {
            let mut real: Vector<u32> = Vector::new();
            let mut model: Vec<u32> = Vec::new();
            let mut snapshots = Vec::new();
            for s in steps {
                match s {
                    Step::Push(x) => {
                        real.push_back(x);
                        model.push(x);
                    }
                    Step::Many(n) => {
                        real.extend(0..n as u32);
                        model.extend(0..n as u32);
                    }
                    Step::Pop => prop_assert_eq!(real.pop_back(), model.pop()),
                    Step::Truncate(n) => {
                        let n = n % (model.len() + 1);
                        real.truncate(n);
                        model.truncate(n);
                    }
                    Step::Set(i, x) if !model.is_empty() => {
                        let i = i % model.len();
                        real[i] = x;
                        model[i] = x;
                    }
                    Step::Set(..) => {}
                    Step::Snapshot => snapshots.push((real.clone(), model.clone())),
                    Step::Back => if let Some((r, m)) = snapshots.pop() {
                        real = r;
                        model = m;
                    }
                }
                prop_assert_eq!(real.len(), model.len());
                let from = model.len() / 3;
                prop_assert!(real.range(from).eq(&model[from..]));
                prop_assert!(real.iter().rev().take(40).eq(model.iter().rev().take(40)));
                prop_assert_eq!(real.get(model.len()), None);
            }
            prop_assert!(real.iter().eq(model.iter()));
            let mut kept = real.clone();
            kept.retain(|x| x % 3 != 0);
            prop_assert!(kept.into_iter().eq(model.iter().copied().filter(|x| x % 3 != 0)));
            for (r, m) in snapshots {
                prop_assert!(r.iter().eq(m.iter()));
            }
        }
    }
}
