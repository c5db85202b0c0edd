//! Single questions about types: equations and relations between them, their kinds, and the cases of a match.
//!
//! `?a` is a hole, the same in all types of a question, and `'a` a rigid type parameter. An algebraic data type need not
//! be defined: its name is enough.

use kanshape::tree::relay::{Binder, Constructor, Pattern, Program as Tree, Type};
use kanshape::tree::{Span, Spanned};
use kanshape::tree::{parse_relay_pattern, parse_relay_type};
use kanshape::{Condition, Diagnostic, Relations, Verdict};

use crate::adts::{Adt, Adts};
use crate::cases;
use crate::infer::Infer;
use crate::infer::operators::{Posted, operator_of};
use crate::infer::unify::OpenSide;
use crate::kinds::{Handles, Kind, Kinds, Scope};
use crate::problem::{ErrorKind, Problem};
use crate::table::{BOUND, Goal, Node, Ty};

/// `Broadcast(A, B, C)`: the last argument is the output.
#[derive(Clone, Debug)]
pub struct Stated {
    /// `Broadcast`, `TupleGetItem:1`, or the name of an operator.
    pub name: String,
    /// Types, as text.
    pub args: Vec<String>,
}

/// What was found of equations and relations.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Whether they can hold: *depends* where something has to hold of the names in them, *unknown* where a relation waits for more to
    /// be known.
    pub verdict: Verdict,
    /// What the holes are, in the order in which they are first written.
    pub holes: Vec<(String, Type)>,
    /// The sizes with a name that have become numbers.
    pub dims: Vec<(String, u64)>,
    /// The relations that wait for more to be known.
    pub waiting: Vec<String>,
    /// What has to hold of the sizes and dtypes that are open.
    pub conditions: Vec<String>,
    /// What the two sides of the last equation are, once they are the same.
    pub unified: Option<Type>,
    /// What is wrong.
    pub problem: Option<Problem>,
}

/// Solves equations between types, in their order, and then relations.
pub fn solve(relations: &Relations, equations: &[(String, String)], stated: &[Stated]) -> Solved {
    let tree = Tree::default();
    let mut infer = Infer::new(&tree, relations);
    infer.adts.is_open = true;
    infer.level = BOUND;
    let mut unified = None;
    let mut problem = run(&mut infer, equations, stated, &mut unified).err();
    if problem.is_none() && !infer.problems.is_empty() {
        problem = Some(infer.problems.remove(0));
    }
    let holes = infer.holes.iter().map(|(name, ty)| (name.clone(), *ty));
    let mut order: Vec<(Box<str>, Ty)> = holes.collect();
    // Holes are made in the order in which they are written.
    order.sort_unstable_by_key(|(_, ty)| *ty);
    let mut names: Vec<(Ty, String)> = Vec::new();
    for (name, ty) in &order {
        let root = infer.settled(*ty);
        let is_hole = matches!(infer.table.get(root), Node::Hole { .. } | Node::Open { .. });
        if is_hole && names.iter().all(|(own, _)| *own != root) {
            names.push((root, format!("?{name}")));
        }
    }
    let mut dims: Vec<(String, u64)> = Vec::new();
    let mut sizes: Vec<_> = infer.sizes.clone().into_iter().collect();
    sizes.sort_unstable();
    for (name, own) in sizes {
        let probe = kanshape::Type::tensor(kanshape::Dtype::Bool, [kanshape::Dim::Name(own)]);
        let Ok(value) = infer.graph.value(&probe) else {
            continue;
        };
        let ty = infer.graph.ty(value);
        let size = ty
            .as_tensor()
            .and_then(|tensor| tensor.shape.known_dims().first()?.size());
        if let Some(size) = size {
            dims.push((name.to_string(), size));
        }
    }
    let (mut waiting, mut conditions): (Vec<String>, Vec<Condition>) = (Vec::new(), Vec::new());
    for i in 0..infer.log.len() {
        let posted = infer.log[i].clone();
        let own = infer.conditions_of(&posted);
        if infer.is_left(&posted) {
            waiting.push(infer.written_relation(&posted, &names));
        }
        conditions.extend(own);
    }
    let shown: Vec<Ty> = order.iter().map(|(_, ty)| *ty).chain(unified).collect();
    let mut shown = infer.written_with(&shown, &names, &conditions).into_iter();
    let holes = order.iter().map(|(name, _)| format!("?{name}"));
    let holes: Vec<(String, Type)> = holes.zip(shown.by_ref()).collect();
    let unified = unified.and_then(|_| shown.next());
    let mut conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    conditions.sort_unstable();
    conditions.dedup();
    let verdict = match Problem::verdict(&problem) {
        Some(verdict) => verdict,
        None if !waiting.is_empty() => Verdict::Unknown,
        None if !conditions.is_empty() => Verdict::Depends,
        None => Verdict::Always,
    };
    Solved {
        verdict,
        holes,
        dims,
        waiting,
        conditions,
        unified,
        problem,
    }
}

fn run(
    infer: &mut Infer<'_>,
    equations: &[(String, String)],
    stated: &[Stated],
    unified: &mut Option<Ty>,
) -> Result<(), Problem> {
    for (a, b) in equations {
        let (one, other) = (read(infer, a)?, read(infer, b)?);
        let solved = infer.unify(one, other, OpenSide::Both);
        solved
            .map_err(|clash| infer.clash(clash, one, other, Span::default(), "the second type"))?;
        let binders = |infer: &Infer<'_>, ty: Ty| match infer.table.get(ty) {
            Node::Poly(own) => own.rigids.len(),
            _ => 0,
        };
        // The one that binds fewer is an instance of the other.
        *unified = Some(match binders(infer, other) < binders(infer, one) {
            true => other,
            false => one,
        });
    }
    for relation in stated {
        post(infer, relation)?;
    }
    // What one relation has found out is what another waits for.
    infer.fields_again(0);
    Ok(())
}

fn read(infer: &mut Infer<'_>, text: &str) -> Result<Ty, Problem> {
    let ty = parse_relay_type(text).map_err(Problem::of_text)?;
    let ty = Spanned::new(ty, Span::new(0, text.len()));
    let placed = |mut problem: Problem| {
        problem.diagnostic = problem.diagnostic.with_source("type", text);
        problem
    };
    match &ty.node {
        Type::Handle(..) => {}
        _ => {
            let mut kinds = Kinds {
                handles: &infer.adts as &dyn Handles,
                scope: Scope::default(),
                binds: true,
            };
            kinds.of(&ty).map_err(placed)?;
        }
    }
    infer.written(&ty.node, ty.span).map_err(placed)
}

fn post(infer: &mut Infer<'_>, stated: &Stated) -> Result<(), Problem> {
    let at = Span::default();
    let args = stated.args.iter().map(|arg| read(infer, arg));
    let args: Vec<Ty> = args.collect::<Result<_, Problem>>()?;
    let Some((output, inputs)) = args.split_last() else {
        let headline = format!("`{}` is between types", stated.name);
        return Err(Problem::new(ErrorKind::Arity, headline, at));
    };
    if let Some(("TupleGetItem", field)) = stated.name.split_once(':') {
        let ([of], Ok(index)) = (inputs, field.parse()) else {
            let headline = format!("`{}` is between a tuple and its field", stated.name);
            return Err(Problem::new(ErrorKind::Arity, headline, at));
        };
        let start = infer.log.len();
        let goal = Goal::Field(*of, index, *output);
        infer.log.push(Posted::waiting(at, goal));
        infer.fields_again(start);
        return match infer.problems.is_empty() {
            true => Ok(()),
            false => Err(infer.problems.remove(0)),
        };
    }
    let name = match stated.name.as_str() {
        "Identity" => {
            for input in inputs {
                let same = infer.unify(*input, *output, OpenSide::Both);
                same.map_err(|clash| {
                    let clash = crate::infer::unify::Clash {
                        kind: ErrorKind::Mismatch,
                        ..clash
                    };
                    infer.clash(clash, *input, *output, at, "the output")
                })?;
            }
            return Ok(());
        }
        name => operator_of(name),
    };
    let Some(operator) = infer.operator(name) else {
        let headline = format!("there is no relation `{}`", stated.name);
        return Err(Problem::new(ErrorKind::Scope, headline, at));
    };
    let gives = infer.operator_call(name, operator, inputs.to_vec(), &[], at)?;
    let same = infer.unify(*output, gives, OpenSide::Both);
    same.map_err(|clash| {
        let clash = crate::infer::unify::Clash {
            kind: ErrorKind::Relation,
            ..clash
        };
        infer.clash(
            clash,
            *output,
            gives,
            at,
            &format!("what `{}` gives", stated.name),
        )
    })
}

/// The kind of a type. `adts` are the algebraic data types, with the number of their parameters.
///
/// # Errors
/// What is wrong with the text or with a kind in it.
pub fn kind_of(text: &str, adts: &[(String, usize)]) -> Result<Kind, Problem> {
    let ty = parse_relay_type(text).map_err(Problem::of_text)?;
    let ty = Spanned::new(ty, Span::new(0, text.len()));
    let mut handles = Adts::default();
    for (name, count) in adts {
        handles.push(adt(name, *count, &[]));
    }
    let mut kinds = Kinds {
        handles: &handles,
        scope: Scope::default(),
        binds: false,
    };
    let kind = kinds.of(&ty);
    kind.map_err(|problem| Problem {
        diagnostic: problem.diagnostic.with_source("type", text),
        ..problem
    })
}

fn adt(name: &str, parameters: usize, constructors: &[(String, usize)]) -> Adt {
    let at = Span::default();
    let name_of = |text: &str| Spanned::new(Box::<str>::from(text), at);
    let constructor = |(name, fields): &(String, usize)| Constructor {
        name: name_of(name),
        fields: vec![Spanned::new(Type::Hole, at); *fields],
    };
    let binder = |i: usize| Binder {
        name: name_of(&format!("T{i}")),
        is_rigid: false,
        kind: None,
    };
    Adt {
        name: name.into(),
        binders: (0..parameters).map(binder).collect(),
        constructors: constructors.iter().map(constructor).collect(),
        is_extern: false,
    }
}

/// The cases that patterns leave out, in the order of the constructors. `adts` are the algebraic data types: the names
/// of their constructors, with the number of their fields.
///
/// # Errors
/// What is wrong with a pattern.
pub fn missing(
    patterns: &[String],
    adts: &[(String, Vec<(String, usize)>)],
) -> Result<Vec<Pattern>, Problem> {
    let mut all = Adts::default();
    for (name, constructors) in adts {
        all.push(adt(name, 0, constructors));
    }
    let mut read = Vec::with_capacity(patterns.len());
    for text in patterns {
        let pattern = parse_relay_pattern(text).map_err(Problem::of_text)?;
        checked(&pattern, Span::new(0, text.len()), &all).map_err(|problem| Problem {
            diagnostic: problem.diagnostic.with_source("pattern", text),
            ..problem
        })?;
        read.push(pattern);
    }
    let read: Vec<&Pattern> = read.iter().collect();
    cases::missing(&read, &all).ok_or_else(|| Problem {
        kind: ErrorKind::NonExhaustive,
        diagnostic: Diagnostic::new(
            crate::code::TOO_LARGE,
            "which cases are missing takes too long to find out",
        ),
    })
}

/// Are the constructors of a pattern defined, with as many fields?
fn checked(pattern: &Pattern, at: Span, adts: &Adts) -> Result<(), Problem> {
    let fields = match pattern {
        Pattern::Wildcard | Pattern::Var(..) => return Ok(()),
        Pattern::Tuple(fields) => fields,
        Pattern::Constructor(name, fields) => {
            let Some((adt, place)) = adts.constructor(&name.node) else {
                let headline = format!("there is no constructor `{}`", name.node);
                return Err(Problem::new(ErrorKind::Scope, headline, at));
            };
            let count = adts.get(adt).constructors[place].fields.len();
            if count != fields.len() {
                let headline = format!(
                    "`{}` has {count} fields, and here are {}",
                    name.node,
                    fields.len()
                );
                return Err(Problem::new(ErrorKind::PatternArity, headline, at));
            }
            fields
        }
    };
    fields
        .iter()
        .try_for_each(|field| checked(&field.node, field.span, adts))
}
