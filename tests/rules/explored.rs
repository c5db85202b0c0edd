//! Rules that were written to find mistakes, in `tests/data/explored_rules.txt`. What is found of each is compared with forward evaluation
//! of both sides on leaves that are drawn at random, larger ones and with more dims than the bound has among them.

use std::path::Path;
use std::thread;

use kanshape::tree::relation;
use kanshape::{Call, Contents, Dim, Dtype, Operator, Shape, Tensor, Type, catalog};
use kanshape_rewrite::{Audit, Bounds, Case, Rule, Sound, Soundness};
use kanshape_testkit::rules::{Sides, leaves, sides};

use crate::twin::{Forward, is_same};

const BOUNDS: Bounds = Bounds {
    max_rank: 3,
    max_dim: 3,
};
/// Of several outputs an operand would be one, and it is not said which.
const REFUSED: &str = "Concat[axis = 0](Split[axis = 0, num_outputs = 2](X)) => X";
/// How many choices of leaves are tried for a rule, and how many dims they have at most.
const TRIED: usize = 400;
const MOST_DIMS: usize = 5;
/// The sizes that dims have, some more often than others, and the members of lists.
const SIZES: [u64; 8] = [0, 1, 1, 2, 2, 3, 4, 5];
const MEMBERS: [i64; 6] = [-2, -1, 0, 1, 2, 3];

/// Numbers that look random, and are the same each time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
    }
}

/// A leaf while leaves are drawn.
#[derive(Clone, PartialEq)]
struct Leaf {
    dtype: Dtype,
    dims: Vec<u64>,
    /// It is a list of these, or one of them.
    members: Option<Vec<i64>>,
}

impl Leaf {
    fn of(ty: &Type) -> Option<Leaf> {
        let tensor = ty.as_tensor()?;
        let dims = tensor.shape.iter().map(|dim| dim.size());
        let members = tensor.contents.as_ref().map(|contents| {
            let ints = contents.iter().map(|member| member.int());
            ints.collect::<Option<Vec<i64>>>()
        });
        Some(Leaf {
            dtype: tensor.dtype.known()?,
            dims: dims.collect::<Option<_>>()?,
            members: members.flatten(),
        })
    }

    fn ty(&self) -> Type {
        let dims = match &self.members {
            Some(members) if !self.dims.is_empty() => vec![members.len() as u64],
            _ => self.dims.clone(),
        };
        let members = self.members.iter().flatten().copied();
        let contents = self.members.as_ref().and(Contents::new(members));
        Tensor::new(self.dtype, Shape::known(dims.into_iter().map(Dim::Size)))
            .with_contents(contents)
            .into()
    }

    /// Changes one dim or member, or how many there are.
    fn change(&mut self, random: &mut Random) {
        let (action, at) = (random.below(4), random.below(MOST_DIMS));
        if let Some(members) = &mut self.members {
            let member = MEMBERS[random.below(MEMBERS.len())];
            match action {
                0 if members.len() > 1 => drop(members.pop()),
                1 if !self.dims.is_empty() && members.len() < MOST_DIMS => members.push(member),
                _ => {
                    if let Some(own) = members.get_mut(at) {
                        *own = member;
                    }
                }
            }
            return;
        }
        let size = SIZES[random.below(SIZES.len())];
        let other = self.dims.first().copied();
        match action {
            0 if at < self.dims.len() => drop(self.dims.remove(at)),
            1 if at <= self.dims.len() && self.dims.len() < MOST_DIMS => self.dims.insert(at, size),
            action => {
                if let Some(dim) = self.dims.get_mut(at) {
                    *dim = other.filter(|_| action == 2).unwrap_or(size);
                }
            }
        }
    }
}

/// Leaves, and whether both sides are the same for them.
struct Drawn {
    leaves: Vec<Type>,
    is_sound: bool,
}

/// What both sides are for these leaves; none if the left side has no type, or something is not known.
fn evaluated(tree: &relation::Rule, types: &[Type], forward: &mut Forward) -> Option<bool> {
    let names = leaves(tree).into_iter().map(str::to_owned);
    forward.leaves = names.zip(types.iter().cloned()).collect();
    match sides(tree, forward) {
        Sides::NoLeft => None,
        Sides::NoRight(_) => Some(false),
        Sides::Both(left, right) => is_same(&left, &right),
    }
}

/// Leaves for which the left side has a type: a walk from some of them to others like these.
fn drawn(tree: &relation::Rule, cases: &[&Case]) -> Vec<Drawn> {
    let names = leaves(tree);
    let mut forward = Forward::default();
    let mut random = Random(7);
    let of_case = |case: &&Case| names.iter().map(|name| Leaf::of(&of(case, name))).collect();
    let mut first: Vec<Vec<Leaf>> = cases.iter().filter_map(of_case).collect();
    // Where a leaf has contents, they count.
    if !first.iter().flatten().any(|leaf| leaf.members.is_some()) {
        for dtype in [Dtype::F32, Dtype::I64, Dtype::Bool] {
            for dims in [vec![], vec![2], vec![1, 1], vec![2, 2], vec![1, 2, 2]] {
                let leaf = Leaf {
                    dtype,
                    dims,
                    members: None,
                };
                first.push(vec![leaf; names.len()]);
            }
        }
    }
    let mut known: Vec<Vec<Leaf>> = Vec::new();
    let mut found = Vec::new();
    for _ in 0..TRIED {
        let next = match (first.pop(), known.len()) {
            (Some(first), _) => first,
            (None, 0) => break,
            (None, count) => {
                let near = count.min(12);
                let at = match random.below(3) {
                    0 => random.below(count),
                    _ => count - 1 - random.below(near),
                };
                let mut next = known[at].clone();
                for _ in 0..=random.below(3) {
                    let (leaf, other) = (random.below(next.len()), random.below(next.len()));
                    match random.below(6) {
                        0 if next[leaf].members.is_none() => {
                            next[leaf].dims = next[other].dims.clone();
                        }
                        1 => next.iter_mut().for_each(|own| own.change(&mut random)),
                        _ => next[leaf].change(&mut random),
                    }
                }
                next
            }
        };
        if next.is_empty() || known.contains(&next) {
            continue;
        }
        let types: Vec<Type> = next.iter().map(Leaf::ty).collect();
        if let Some(is_sound) = evaluated(tree, &types, &mut forward) {
            known.push(next);
            found.push(Drawn {
                leaves: types,
                is_sound,
            });
        }
    }
    found
}

/// The type of a leaf in a case.
fn of(case: &Case, name: &str) -> Type {
    let mut all = case.leaves.iter();
    all.find(|(own, _)| **own == *name).unwrap().1.clone()
}

/// Goals about leaves, as an operator of these.
fn operator(goals: &[String], names: &[&str]) -> Operator {
    let mut text = goals.join(", ");
    let mut types = Vec::new();
    for name in names {
        text = text.replace(&format!("rank({name})"), &format!("len(shape({name}))"));
        text = text.replace(&format!("shape({name})"), &format!("shape_of_{name}"));
        text = text.replace(&format!("dtype({name})"), &format!("dtype_of_{name}"));
        let parts = [format!("shape_of_{name}"), format!("dtype_of_{name}")];
        if parts.iter().any(|part| text.contains(part)) {
            types.push(format!("{name} = Tensor({}), ", parts.join(", ")));
        }
    }
    let text = format!(
        "op goals({}) -> () :- {}{text}",
        names.join(", "),
        types.concat()
    );
    let relations = catalog().with([("goals", &*text)]);
    let relations = relations.unwrap_or_else(|why| panic!("{text}: {why}"));
    relations.operator_of("", "goals", None).unwrap()
}

fn holds(operator: &Operator, leaves: &[Type]) -> bool {
    let query = operator.query(Call {
        inputs: leaves.iter().cloned().map(Some).collect(),
        ..Call::default()
    });
    query.is_ok_and(|query| query.solve().is_ok_and(|mut found| found.next().is_some()))
}

/// A rule where its variables have the values of a case.
fn with_values(text: &str, case: &Case) -> String {
    let (sides, goals) = text.split_once(":-").unwrap_or((text, ""));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut written = String::new();
    let mut rest = sides;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        let mut values = case.attrs.iter();
        let value = values.find(|(name, _)| **name == *word);
        written += value.map_or(word, |(_, value)| value);
        rest = behind;
    }
    let equal = case
        .attrs
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let goals = equal.chain((!goals.is_empty()).then(|| goals.trim().to_owned()));
    let goals: Vec<String> = goals.collect();
    match goals.is_empty() {
        true => written,
        false => format!("{written} :- {}", goals.join(", ")),
    }
}

/// What is wrong with what is found of a rule, with the values of its variables in the counterexample.
fn mistakes(text: &str, found: &Soundness) -> Vec<String> {
    let cases: Vec<&Case> = found.counterexample.iter().chain(&found.lost).collect();
    let text = match cases.first() {
        Some(case) => with_values(text, case),
        None => text.to_owned(),
    };
    let rule = Rule::read(catalog(), &text, []).unwrap();
    let tree = rule.tree();
    let names = leaves(tree);
    let goals = text
        .split_once(":-")
        .map(|(_, goals)| goals.trim().to_owned());
    let goals: Vec<String> = goals.into_iter().collect();
    let of_goals = |more: &[String]| {
        let all = [&goals[..], more].concat();
        let all = if all.is_empty() {
            vec!["true".to_owned()]
        } else {
            all
        };
        operator(&all, &names)
    };
    let own = of_goals(&[]);
    let mut mistakes = Vec::new();
    if let Some(case) = &found.counterexample {
        let types: Vec<Type> = names.iter().map(|name| of(case, name)).collect();
        let is_sound = evaluated(tree, &types, &mut Forward::default());
        if is_sound != Some(false) || !holds(&own, &types) {
            mistakes.push(format!("{text}: {types:?} is no counterexample"));
        }
    }
    let bound = found.complete_up_to;
    let is_within = |one: &Drawn| {
        let mut dims = one
            .leaves
            .iter()
            .flat_map(|ty| ty.as_tensor())
            .map(|tensor| &tensor.shape);
        bound.is_none_or(|bound| {
            dims.all(|shape| {
                shape.rank().is_some_and(|rank| rank as u64 <= bound.rank)
                    && shape
                        .iter()
                        .all(|dim| dim.size() <= bound.dim.or(Some(u64::MAX)))
            })
        })
    };
    let with_needs = found.needs.as_deref().map(of_goals);
    for one in drawn(tree, &cases) {
        let (is_meant, is_sound) = (holds(&own, &one.leaves), one.is_sound);
        let mut says = |what: &str| mistakes.push(format!("{text}: {what} {:?}", one.leaves));
        match found.verdict {
            Sound::Always if is_meant && !is_sound => says("not always for"),
            Sound::Never if is_meant && is_sound && is_within(&one) => says("not never for"),
            _ => {}
        }
        if found.audit == Some(Audit::Exact) && is_sound && !is_meant && is_within(&one) {
            says("not exact for");
        }
        if let Some(needs) = with_needs.as_ref().filter(|_| is_meant && is_within(&one))
            && holds(needs, &one.leaves) != is_sound
        {
            says(&format!("{:?} is wrong for", found.needs));
        }
    }
    mistakes
}

/// What is found of a rule, and what is wrong with it.
pub(crate) fn explored(line: &str) -> (Soundness, Vec<String>) {
    let rule = Rule::read(catalog(), line, []).unwrap_or_else(|why| panic!("{line}: {why}"));
    let found = rule.bounds(BOUNDS).checked();
    let found = found.unwrap_or_else(|why| panic!("{line}: {why}"));
    let mistakes = mistakes(line, &found);
    (found, mistakes)
}

#[test]
fn each_explored_rule() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/explored_rules.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let (refused, lines): (Vec<&str>, Vec<&str>) = lines.partition(|line| *line == REFUSED);
    assert_eq!(refused.len(), 1);
    let why = Rule::read(catalog(), REFUSED, []).and_then(|rule| rule.checked());
    assert_eq!(
        why.unwrap_err().headline,
        "`Split` has several outputs, and a rule can't name one of them"
    );
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let parts = lines.chunks(lines.len().div_ceil(threads));
    let found: Vec<(Soundness, Vec<String>)> = thread::scope(|scope| {
        let all: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().map(|line| explored(line)).collect::<Vec<_>>()))
            .collect();
        all.into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    let wrong: Vec<&str> = found
        .iter()
        .flat_map(|one| &one.1)
        .map(|one| &**one)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |verdict| found.iter().filter(|one| one.0.verdict == verdict).count();
    let verdicts = [Sound::Always, Sound::Depends, Sound::Never, Sound::Unknown];
    let has_needs =
        |one: &&(Soundness, _)| one.0.verdict == Sound::Depends && one.0.needs.is_some();
    let with_needs = found.iter().filter(has_needs).count();
    assert_eq!((verdicts.map(count), with_needs), ([57, 195, 4, 1], 184));
}
