//! Stating what follows for arguments. A statement about something that is known already is a check.

use super::Impossible;
use super::args::{Arg, Args, Optional, TensorArg, expect};
use crate::encode::Kind;
use crate::encode::form::{self, fresh, fresh_list};
use crate::encode::{atoms, float, tensor};
use kanshape_engine::{Domain, INF, Int, Linear, NEG_INF, Part, Stop, Term};
use kanshape_types::DtypeSet;

impl<'a> Args<'a> {
    /// From now on the two are the same, whatever they are: what becomes known of one is known of the other.
    ///
    /// # Errors
    /// [`Impossible`] if they can't be.
    ///
    /// # Panics
    /// If they are of different kinds.
    #[track_caller]
    pub fn same(&mut self, a: &Arg<'a>, b: &Arg<'a>) -> Result<(), Impossible> {
        expect(a, a.kind == b.kind, &b.kind.to_string());
        let (a, b) = (self.term(a), self.term(b));
        self.say(|view| view.unify(&a, &b))
    }

    // Numbers

    /// From now on the number is this.
    ///
    /// # Errors
    /// [`Impossible`] if it can't be; so with all that follow.
    #[track_caller]
    pub fn set(&mut self, n: &Arg<'a>, value: i64) -> Result<(), Impossible> {
        self.one_of(n, [value])
    }

    /// From now on the number is this or greater.
    #[track_caller]
    pub fn at_least(&mut self, n: &Arg<'a>, least: i64) -> Result<(), Impossible> {
        self.within(n, Kind::Int, &Domain::interval(least.into(), INF))
    }

    /// From now on the number is this or less.
    #[track_caller]
    pub fn at_most(&mut self, n: &Arg<'a>, most: i64) -> Result<(), Impossible> {
        self.within(n, Kind::Int, &Domain::interval(NEG_INF, most.into()))
    }

    /// From now on the number is one of these.
    #[track_caller]
    pub fn one_of(
        &mut self,
        n: &Arg<'a>,
        values: impl IntoIterator<Item = i64>,
    ) -> Result<(), Impossible> {
        let values = Domain::of(values.into_iter().map(Int::from));
        self.within(n, Kind::Int, &values)
    }

    /// A number that is known.
    pub fn number(&self, value: i64) -> Arg<'a> {
        Arg::new(Term::Int(Linear::constant(value.into())), Kind::Int)
    }

    /// A multiple of a number, and something more: `factor*n + more`. So a number that is not known, such as one
    /// that the user has given a name, can be stated about another one.
    #[track_caller]
    pub fn multiple(
        &mut self,
        factor: i64,
        n: &Arg<'a>,
        more: &Arg<'a>,
    ) -> Result<Arg<'a>, Impossible> {
        let n = self.form(n, Kind::Int).ok_or(Impossible)?;
        let more = self.form(more, Kind::Int).ok_or(Impossible)?;
        let sum = self.read(|_| Ok(more.add_scaled(&n, factor.into())?));
        Ok(Arg::new(Term::Int(sum.ok_or(Impossible)?), Kind::Int))
    }

    /// From now on the float is this.
    #[track_caller]
    pub fn set_float(&mut self, x: &Arg<'a>, value: f64) -> Result<(), Impossible> {
        let code = float::code(value);
        self.within(x, Kind::Float, &Domain::interval(code, code))
    }

    /// From now on the truth value is this.
    #[track_caller]
    pub fn set_truth(&mut self, truth: &Arg<'a>, value: bool) -> Result<(), Impossible> {
        let value = Int::from(value);
        self.within(truth, Kind::Bool, &Domain::interval(value, value))
    }

    /// From now on the text is this.
    #[track_caller]
    pub fn set_text(&mut self, text: &Arg<'a>, value: &str) -> Result<(), Impossible> {
        let number = self.context.number_of(value);
        self.within(text, Kind::Text, &Domain::interval(number, number))
    }

    #[track_caller]
    fn within(&mut self, n: &Arg<'a>, kind: Kind, domain: &Domain) -> Result<(), Impossible> {
        let form = self.form(n, kind).ok_or(Impossible)?;
        self.say(|view| view.restrict(&form, domain))
    }

    // Dtypes

    /// From now on the dtype is one of these.
    #[track_caller]
    pub fn restrict_dtype(
        &mut self,
        dtype: &Arg<'a>,
        to: impl Into<DtypeSet>,
    ) -> Result<(), Impossible> {
        expect(dtype, dtype.kind == Kind::Dtype, "a dtype");
        let to = to.into();
        match self.term(dtype) {
            Term::Atom(v) => self.say(|view| view.restrict_atom(v, atoms(to))),
            _ => Err(Impossible),
        }
    }

    // Lists

    /// From now on these are the members of the list.
    ///
    /// # Panics
    /// If they are of another kind than the members of the list.
    #[track_caller]
    pub fn set_members(&mut self, list: &Arg<'a>, members: &[Arg<'a>]) -> Result<(), Impossible> {
        let Kind::List(of) = &list.kind else {
            expect(list, false, "a list");
            return Err(Impossible);
        };
        let mut terms = Vec::with_capacity(members.len());
        for member in members {
            expect(member, member.kind == **of, &of.to_string());
            terms.push(self.term(member));
        }
        let list = self.term(list);
        self.say(|view| {
            view.budget().spend(terms.len() as u64)?;
            let whole = match &list {
                Term::Seq(_) => {
                    let ones = terms.into_iter().map(|term| match term {
                        Term::Int(l) => Ok(Part::One(l)),
                        _ => Err(Stop::Conflict),
                    });
                    Term::Seq(ones.collect::<Result<_, _>>()?)
                }
                _ => form::chain(view, terms.into_iter()),
            };
            view.unify(&list, &whole)
        })
    }

    /// From now on the list has this length: here are its members.
    #[track_caller]
    pub fn set_length(
        &mut self,
        list: &Arg<'a>,
        length: usize,
    ) -> Result<Vec<Arg<'a>>, Impossible> {
        let Kind::List(of) = &list.kind else {
            expect(list, false, "a list");
            return Err(Impossible);
        };
        if let Some(members) = self.members(list) {
            let fits = members.len() == length;
            return fits.then_some(members).ok_or(Impossible);
        }
        let members = self.say(|view| {
            view.budget().spend(length as u64)?;
            let fresh = (0..length).map(|_| Arg::new(fresh(view, of), (**of).clone()));
            Ok(fresh.collect::<Vec<_>>())
        })?;
        self.set_members(list, &members)?;
        Ok(members)
    }

    // What may be left out, and types

    /// From now on the optional thing is left out.
    #[track_caller]
    pub fn leave_out(&mut self, arg: &Arg<'a>) -> Result<(), Impossible> {
        expect(
            arg,
            matches!(arg.kind, Kind::Option(_)),
            "an optional thing",
        );
        let term = arg.term.clone();
        self.say(|view| view.unify(&term, &form::none()))
    }

    /// From now on the optional thing is there: here it is.
    #[track_caller]
    pub fn require(&mut self, arg: &Arg<'a>) -> Result<Arg<'a>, Impossible> {
        let Kind::Option(of) = &arg.kind else {
            expect(arg, false, "an optional thing");
            return Err(Impossible);
        };
        if let Optional::There(thing) = self.optional(arg) {
            return Ok(thing);
        }
        let thing = self.say(|view| {
            let thing = fresh(view, of);
            view.unify(&arg.term, &form::some(thing.clone()))?;
            Ok(thing)
        })?;
        Ok(Arg::new(thing, (**of).clone()))
    }

    /// From now on the type is that of a tensor: here is what it is made of.
    #[track_caller]
    pub fn to_tensor(&mut self, ty: &Arg<'a>) -> Result<TensorArg<'a>, Impossible> {
        if let Some(parts) = self.tensor(ty) {
            return Ok(parts);
        }
        let whole = self.say(|view| {
            let dtype = view.atom(atoms(DtypeSet::ANY));
            let shape = fresh_list(view);
            view.restrict_members(&shape)?;
            let whole = tensor(dtype, shape, Term::Var(view.any()));
            view.unify(&ty.term, &whole)?;
            Ok(whole)
        })?;
        self.tensor(&Arg::new(whole, Kind::Type)).ok_or(Impossible)
    }
}
