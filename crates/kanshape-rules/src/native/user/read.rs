//! Reading what is known of arguments.

use super::args::{Arg, Args, Optional, TensorArg, expect};
use crate::encode::Kind;
use crate::encode::form::{self, Front, SOME};
use crate::encode::{MAX_SIZE, dtypes, float, tensor_parts};
use crate::limits::MAX_LISTED_VALUES;
use kanshape_engine::{Int, Linear, Part, Term};
use kanshape_types::{Dtype, DtypeSet};
use std::sync::Arc;

impl<'a> Args<'a> {
    // Numbers

    /// The number, if it is known to be one that fits.
    #[track_caller]
    pub fn value(&mut self, n: &Arg<'a>) -> Option<i64> {
        self.constant(n, Kind::Int).and_then(|n| n.try_into().ok())
    }

    /// The number is not less than this. `None` where nothing is known.
    #[track_caller]
    pub fn least(&mut self, n: &Arg<'a>) -> Option<i64> {
        self.bounds(n).0.try_into().ok()
    }

    /// The number is not greater than this. `None` where nothing is known; for a size, that is any size.
    #[track_caller]
    pub fn most(&mut self, n: &Arg<'a>) -> Option<i64> {
        let most = self.bounds(n).1;
        most.try_into().ok().filter(|_| most < MAX_SIZE)
    }

    /// Can the number be this, as far as is known?
    #[track_caller]
    pub fn may_be(&mut self, n: &Arg<'a>, value: i64) -> bool {
        let form = self.form(n, Kind::Int);
        form.is_none_or(|form| self.view.may_be(&form, value.into()))
    }

    /// All that the number can be, smallest first, if there are 64 or fewer.
    #[track_caller]
    pub fn values(&mut self, n: &Arg<'a>) -> Option<Vec<i64>> {
        let (lo, hi) = self.bounds(n);
        let form = self.form(n, Kind::Int)?;
        let few = form.as_var().map(|v| self.view.domain(v));
        if let Some(few) = few.filter(|d| d.len().is_some_and(|n| n <= MAX_LISTED_VALUES)) {
            let next = |x: &Int| few.next_above(*x);
            let all = std::iter::successors(Some(few.lo()), next);
            return all.map(|x| x.try_into().ok()).collect();
        }
        let (lo, hi): (i64, i64) = (lo.try_into().ok()?, hi.try_into().ok()?);
        let few = hi
            .checked_sub(lo)
            .is_some_and(|n| (n as u128) < MAX_LISTED_VALUES);
        few.then(|| {
            let all = (lo..=hi).filter(|x| self.view.may_be(&form, (*x).into()));
            all.collect()
        })
    }

    /// The float, if it is known.
    #[track_caller]
    pub fn float(&mut self, x: &Arg<'a>) -> Option<f64> {
        self.constant(x, Kind::Float).and_then(float::value)
    }

    /// The truth value, if it is known.
    #[track_caller]
    pub fn truth(&mut self, truth: &Arg<'a>) -> Option<bool> {
        self.constant(truth, Kind::Bool).map(|n| n != 0)
    }

    /// The text, if it is known.
    #[track_caller]
    pub fn text(&mut self, text: &Arg<'a>) -> Option<Arc<str>> {
        let number = self.constant(text, Kind::Text)?;
        self.context.text(number)
    }

    // Dtypes

    /// What the dtype can be, as far as is known.
    #[track_caller]
    pub fn dtypes(&mut self, dtype: &Arg<'a>) -> DtypeSet {
        expect(dtype, dtype.kind == Kind::Dtype, "a dtype");
        let Term::Atom(v) = self.term(dtype) else {
            return DtypeSet::ANY;
        };
        self.note(v);
        dtypes(self.view.mask(v))
    }

    /// The dtype, if it is known.
    #[track_caller]
    pub fn dtype(&mut self, dtype: &Arg<'a>) -> Option<Dtype> {
        self.dtypes(dtype).single()
    }

    // Lists

    /// The members of a list, if it is known how many there are. What they are may not be known.
    #[track_caller]
    pub fn members(&mut self, list: &Arg<'a>) -> Option<Vec<Arg<'a>>> {
        let (members, is_all) = self.shown(list);
        is_all.then_some(members)
    }

    /// The members of a list that are known to be there, from the left. There may be more.
    #[track_caller]
    pub fn first_members(&mut self, list: &Arg<'a>) -> Vec<Arg<'a>> {
        self.shown(list).0
    }

    /// The length of a list, a number like others. Of a list of other things than numbers, texts and truth values it
    /// is `None` until it is known.
    #[track_caller]
    pub fn length(&mut self, list: &Arg<'a>) -> Option<Arg<'a>> {
        let length = match self.term(list) {
            Term::Seq(seq) => self.read(|view| view.length(&seq))?,
            _ => Linear::constant(self.members(list)?.len() as Int),
        };
        Some(Arg::new(Term::Int(length), Kind::Int))
    }

    /// The members that show, and whether they are all.
    #[track_caller]
    fn shown(&mut self, list: &Arg<'a>) -> (Vec<Arg<'a>>, bool) {
        let Kind::List(of) = &list.kind else {
            expect(list, false, "a list");
            return (Vec::new(), false);
        };
        let member = |term| Arg::new(term, (**of).clone());
        let mut members = Vec::new();
        match self.term(list) {
            Term::Seq(seq) => {
                self.read(|view| view.spell_out(&seq));
                for part in self.view.parts(&seq) {
                    match part {
                        Part::One(l) => members.push(member(Term::Int(l))),
                        Part::Run(v) => {
                            self.note(v);
                            return (members, false);
                        }
                    }
                }
                (members, true)
            }
            mut rest => loop {
                match form::front_of(&self.view, &rest) {
                    Front::Empty => return (members, true),
                    Front::First(first, more) => {
                        members.push(member(first));
                        rest = more;
                    }
                    Front::Hidden | Front::Open => {
                        if let Term::Var(v) = self.view.walk(&rest) {
                            self.note(v);
                        }
                        return (members, false);
                    }
                }
            },
        }
    }

    // What may be left out, and types

    /// Whether something optional is there, and what it is.
    #[track_caller]
    pub fn optional(&mut self, arg: &Arg<'a>) -> Optional<'a> {
        let Kind::Option(of) = &arg.kind else {
            expect(arg, false, "an optional thing");
            return Optional::Unknown;
        };
        match self.term(arg) {
            Term::Node(SOME, parts) => match parts.first() {
                Some(part) => Optional::There(Arg::new(part.clone(), (**of).clone())),
                None => Optional::Unknown,
            },
            Term::Node(..) => Optional::LeftOut,
            _ => Optional::Unknown,
        }
    }

    /// What a tensor is made of, if the type is known to be that of a tensor.
    #[track_caller]
    pub fn tensor(&mut self, ty: &Arg<'a>) -> Option<TensorArg<'a>> {
        expect(ty, ty.kind == Kind::Type, "a type");
        let term = self.term(ty);
        let (dtype, shape, contents) = tensor_parts(&self.view, &term)?;
        Some(TensorArg {
            dtype: Arg::new(Term::Atom(dtype), Kind::Dtype),
            dims: Arg::new(Term::Seq(shape), Kind::Int.list()),
            contents,
        })
    }

    /// The contents of a tensor in row-major order: a list of integers, floats, texts or truth values, by its dtype.
    /// `None` as long as the dtype does not show which. What the list is may not be known.
    pub fn contents(&mut self, tensor: &TensorArg<'a>) -> Option<Arg<'a>> {
        let set = self.dtypes(&tensor.dtype);
        let kinds = [
            (DtypeSet::INT.union(DtypeSet::UINT), Kind::Int),
            (DtypeSet::FLOAT, Kind::Float),
            (DtypeSet::just(Dtype::Str), Kind::Text),
            (DtypeSet::BOOL, Kind::Bool),
        ];
        let kind = kinds.into_iter().find(|(of, _)| set.is_subset(*of));
        kind.map(|(_, kind)| Arg::new(tensor.contents.clone(), kind.list()))
    }

    /// A number as a form over what is open in it.
    #[track_caller]
    pub(super) fn form(&mut self, n: &Arg<'a>, kind: Kind) -> Option<Linear> {
        expect(n, n.kind == kind, &kind.to_string());
        let Term::Int(form) = self.term(n) else {
            return None;
        };
        let form = self.read(|view| view.resolve(&form))?;
        self.note_form(&form);
        Some(form)
    }

    #[track_caller]
    fn constant(&mut self, n: &Arg<'a>, kind: Kind) -> Option<Int> {
        self.form(n, kind)?.as_constant()
    }

    #[track_caller]
    fn bounds(&mut self, n: &Arg<'a>) -> (Int, Int) {
        match self.form(n, Kind::Int) {
            Some(form) => self.view.bounds(&form),
            None => (Int::MIN, Int::MAX),
        }
    }
}
