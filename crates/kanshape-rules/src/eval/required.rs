//! What a calculation leaves open, as the sizes that each of the user's names can be.

use super::store::Val;
use super::{Evaluator, Residual, Stop};
use crate::encode::sizes;
use kanshape_engine::{Domain, Form, Forms, INF, Int, NEG_INF, Node, Num};
use kanshape_types::Name;
use smallvec::SmallVec;

/// What one of the user's names can be, where the rule holds.
#[derive(Clone, Debug)]
pub struct Required {
    /// The name.
    pub name: Name,
    /// What it can be: not all sizes, and more than one.
    pub domain: Domain,
}

/// A name, as an atom, and what it can be.
type Domains = SmallVec<[(u32, Domain); 4]>;

impl Evaluator<'_> {
    /// What is left open, name by name, in the order in which the names are written.
    ///
    /// # Errors
    /// [`Stop::Fail`] if nothing is left of a name. [`Stop::Leave`] if something is about several names, or may change what has been
    /// calculated: the engine has to find out more then.
    pub(super) fn required(&self, results: &[Val]) -> Result<Vec<Required>, Stop> {
        if self.residuals.is_empty() {
            return Ok(Vec::new());
        }
        let mut domains = Domains::new();
        for residual in &self.residuals {
            self.narrow(residual, &mut domains)?;
        }
        domains.retain(|(_, domain)| *domain != sizes());
        if domains.iter().any(|(_, domain)| domain.is_empty()) {
            return Err(Stop::Fail);
        }
        // What is written with a name may be simpler for fewer sizes.
        let is_kept = |(atom, domain): &(u32, Domain)| {
            domain.single().is_none()
                && (domain.hi() == sizes().hi() || self.is_shown_alone(*atom, results))
        };
        if !domains.iter().all(is_kept) || !results.iter().all(|val| self.is_plain(*val)) {
            return Err(Stop::Leave);
        }
        domains.sort_unstable_by_key(|(atom, _)| *atom);
        let named = domains.into_iter().map(|(atom, domain)| {
            let name = self.symbols.name(atom).cloned().ok_or(Stop::Leave)?;
            Ok(Required { name, domain })
        });
        named.collect()
    }

    fn narrow(&self, residual: &Residual, domains: &mut Domains) -> Result<(), Stop> {
        let (atom, domain) = match residual {
            Residual::NonNegative(n) => self.where_at_least(*n, 0)?,
            Residual::NonZero(n) => {
                let (atom, factor, shift) = self.of_one_name(*n)?;
                match shift % factor {
                    0 => (atom, Domain::ALL.without(-shift / factor)),
                    _ => return Ok(()),
                }
            }
            Residual::Among(n, values) => match self.of_one_name(*n)? {
                (atom, 1, 0) => (atom, Domain::of(values.iter().map(|n| Int::from(*n)))),
                _ => return Err(Stop::Leave),
            },
            Residual::Broadcast(args, out) => {
                let out = Int::from(out.int().ok_or(Stop::Leave)?);
                for arg in args {
                    match (arg.int(), self.of_one_name(*arg)) {
                        // An integer beside names that is neither 1 nor another one is what they come to.
                        (Some(_), _) => {}
                        (None, Ok((atom, 1, 0))) => meet(domains, atom, &Domain::of([1, out])),
                        _ => return Err(Stop::Leave),
                    }
                }
                return Ok(());
            }
            Residual::Zero(_) | Residual::DtypeAmong(..) | Residual::SameDtype(..) => {
                return Err(Stop::Leave);
            }
        };
        meet(domains, atom, &domain);
        Ok(())
    }

    /// The sizes of a name for which a number made of it is as large as `least`, or larger.
    fn where_at_least(&self, mut n: Num, mut least: Int) -> Result<(u32, Domain), Stop> {
        loop {
            let (generator, factor, shift) = self.of_one_generator(n)?;
            // factor*x >= least
            least -= shift;
            match self.forms.node(generator) {
                Node::Atom(atom) if self.symbols.name(*atom).is_some() => {
                    let bound = match factor > 0 {
                        true => Domain::interval(ceil_div(least, factor), INF),
                        false => Domain::interval(NEG_INF, (-least).div_euclid(-factor)),
                    };
                    return Ok((*atom, bound));
                }
                // a//b >= m where a >= b*m, for a b of 1 and more
                Node::Floor(a, b) if factor > 0 => {
                    let b = b.int().filter(|b| *b > 0).ok_or(Stop::Leave)?;
                    least = ceil_div(least, factor)
                        .checked_mul(b.into())
                        .ok_or(Stop::Leave)?;
                    n = *a;
                }
                _ => return Err(Stop::Leave),
            }
        }
    }

    /// A number that is a multiple of one of the user's names, and an integer: the name, the factor and the integer.
    fn of_one_name(&self, n: Num) -> Result<(u32, Int, Int), Stop> {
        let (generator, factor, shift) = self.of_one_generator(n)?;
        match self.forms.node(generator) {
            Node::Atom(atom) if self.symbols.name(*atom).is_some() => Ok((*atom, factor, shift)),
            _ => Err(Stop::Leave),
        }
    }

    /// A number that is a multiple of one generator, and an integer.
    fn of_one_generator(&self, n: Num) -> Result<(Form, Int, Int), Stop> {
        let form = n.form().ok_or(Stop::Leave)?;
        match self.forms.node(form) {
            Node::Sum(terms, shift) => match &**terms {
                [(monomial, factor)] => match monomial[..] {
                    [generator] => Ok((generator, Int::from(*factor), Int::from(*shift))),
                    _ => Err(Stop::Leave),
                },
                _ => Err(Stop::Leave),
            },
            _ => Ok((form, 1, 0)),
        }
    }

    /// Are the sizes of a type sums, products and quotients of names? What is the least or the greatest of some may be one of them
    /// where the rule holds.
    fn is_plain(&self, val: Val) -> bool {
        self.all_sizes(val, &|n| is_plain(self.forms, n))
    }

    /// Is a name in no expression of the types?
    fn is_shown_alone(&self, atom: u32, results: &[Val]) -> bool {
        let is_alone = |n: Num| {
            let mut is_inside = false;
            self.forms
                .for_each_atom(n, &mut |own| is_inside |= own == atom);
            let form = n.form().map(|form| self.forms.node(form));
            !is_inside || matches!(form, Some(Node::Atom(_)))
        };
        results.iter().all(|val| self.all_sizes(*val, &is_alone))
    }

    fn all_sizes(&self, val: Val, is: &dyn Fn(Num) -> bool) -> bool {
        match val {
            Val::Tensor(place) => {
                let tensor = self.store.tensor(place);
                let all = |list| self.store.numbers(list).iter().all(|n| is(*n));
                all(tensor.shape) && tensor.contents.is_none_or(all)
            }
            Val::Node(_, cells) => {
                let mut parts = self.store.cells(cells).iter();
                parts.all(|part| self.all_sizes(*part, is))
            }
            _ => false,
        }
    }
}

/// A name is one of these sizes as well.
fn meet(domains: &mut Domains, atom: u32, domain: &Domain) {
    match domains.iter_mut().find(|(own, _)| *own == atom) {
        Some((_, own)) => *own = own.meet(domain),
        None => domains.push((atom, sizes().meet(domain))),
    }
}

/// The least integer that is as large as `a/b`, for a positive `b`.
fn ceil_div(a: Int, b: Int) -> Int {
    -(-a).div_euclid(b)
}

/// Quotients are nested no deeper than forms allow.
fn is_plain(forms: &Forms, n: Num) -> bool {
    forms.all_generators(n, &mut |g| match forms.node(g) {
        Node::Atom(_) => true,
        Node::Floor(a, b) => is_plain(forms, *a) && is_plain(forms, *b),
        _ => false,
    })
}
