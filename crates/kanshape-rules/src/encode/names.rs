//! The names that a user wrote, and what they denote.

use kanshape_engine::Var;
use kanshape_types::Name;
use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::Arc;

/// A name that the user wrote, and what it denotes.
#[derive(Clone, Debug)]
pub struct UserName {
    pub name: Name,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub enum What {
    Size(Var),
    Dtype(Var),
    Run(Var),
    /// A type variable: any term.
    Type(Var),
}

impl What {
    pub(super) fn describe(self) -> &'static str {
        match self {
            What::Size(_) => "a size",
            What::Dtype(_) => "a dtype",
            What::Run(_) => "a run of dims",
            What::Type(_) => "a type",
        }
    }
}

/// The names that the user wrote, in the order of their first use. Clones share them until one of them changes: a graph is cloned for each
/// body of a model, and may have thousands of names.
#[derive(Clone, Debug, Default)]
pub struct UserNames(Option<Arc<Listed>>);

#[derive(Clone, Debug, Default)]
struct Listed {
    all: Vec<UserName>,
    places: FxHashMap<Name, usize>,
}

impl UserNames {
    /// The place of a name in the list.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.as_ref()?.places.get(name).copied()
    }

    /// What a name denotes.
    pub fn what(&self, name: &str) -> Option<What> {
        Some(self[self.place(name)?].what)
    }

    pub(super) fn push(&mut self, user: UserName) {
        let own = Arc::make_mut(self.0.get_or_insert_default());
        own.places.insert(user.name.clone(), own.all.len());
        own.all.push(user);
    }

    /// Sorts the names by `place`. The sort is stable.
    pub fn sort_by_place(&mut self, place: impl Fn(&Name) -> usize) {
        self.change(|all| all.sort_by_key(|user| place(&user.name)));
    }

    /// Removes the names for which `is_kept` does not hold.
    pub fn retain(&mut self, is_kept: impl Fn(&UserName) -> bool) {
        self.change(|all| all.retain(is_kept));
    }

    /// Removes all names but the first `count`: a caller that restores an earlier state does so.
    pub fn truncate(&mut self, count: usize) {
        let Some(own) = self.0.as_mut().filter(|own| count < own.all.len()) else {
            return;
        };
        let own = Arc::make_mut(own);
        for user in own.all.drain(count..) {
            own.places.remove(&user.name);
        }
    }

    fn change(&mut self, f: impl FnOnce(&mut Vec<UserName>)) {
        let Some(own) = &mut self.0 else { return };
        let own = Arc::make_mut(own);
        f(&mut own.all);
        let names = own.all.iter().map(|user| user.name.clone());
        own.places = names.enumerate().map(|(i, name)| (name, i)).collect();
    }
}

impl Deref for UserNames {
    type Target = [UserName];

    fn deref(&self) -> &[UserName] {
        self.0.as_ref().map_or(&[], |own| &own.all)
    }
}

impl<'n> IntoIterator for &'n UserNames {
    type Item = &'n UserName;
    type IntoIter = std::slice::Iter<'n, UserName>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
