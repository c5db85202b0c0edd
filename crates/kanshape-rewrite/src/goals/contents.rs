//! Goals about the contents of leaves that are lists of sizes, axes or indices.

use kanshape::tree::CmpOp;
use kanshape::tree::relation::{Goal, Term};
use kanshape::{Content, Type};

use super::{GoalTable, InstanceShapes, PlainShape, WrittenShape, numbered, with};
use crate::instances::Instance;
use crate::made::{self, call, name as named};
use crate::program::Program;

/// The contents of a leaf, which are known in all instances.
pub(super) struct LeafContents {
    leaf: usize,
    defined: Goal,
    term: Term,
    /// Members below 0 are what they are in two's complement, which no size is.
    lists: InstanceShapes,
}

/// The goal that gives the contents of a leaf their name.
pub(crate) fn defined(leaf: &str) -> Goal {
    let tensor = call("Tensor", [Term::Any, Term::Any, named(&name(leaf))]);
    made::equal(&named(leaf), &tensor)
}

/// Is a goal one that gives the contents of a leaf their name?
pub(crate) fn is_definition(goal: &Goal) -> bool {
    match made::equated(goal) {
        Some((Term::Name(leaf), _)) => *goal == defined(&leaf.node),
        _ => false,
    }
}

/// What the contents of a leaf are called.
pub(crate) fn name(leaf: &str) -> String {
    format!("{leaf}_contents")
}

/// The leaves whose contents are known in all instances.
pub(super) fn of_leaves(program: &Program, instances: &[Instance]) -> Vec<LeafContents> {
    let all = program.leaves.iter().enumerate().map(|(leaf, own)| {
        // Mostly there are none.
        members(&instances.first()?.leaves[leaf])?;
        let lists = instances.iter().map(|one| members(&one.leaves[leaf]));
        let lists: Vec<PlainShape> = lists.collect::<Option<_>>()?;
        let (of, distinct) = numbered(lists.into_iter().map(Some));
        Some(LeafContents {
            leaf,
            defined: defined(&own.name),
            term: named(&name(&own.name)),
            lists: InstanceShapes::new(of, distinct),
        })
    });
    all.flatten().collect()
}

fn members(ty: &Type) -> Option<PlainShape> {
    let members = ty.contents()?.iter().map(|own| match own {
        Content::Int(n) => Some(n.cast_unsigned()),
        _ => None,
    });
    members.collect()
}

impl LeafContents {
    /// The slot of the leaf.
    pub(super) fn leaf(&self) -> usize {
        self.leaf
    }

    /// As sizes: they are none where one is below 0.
    pub(super) fn as_shape(&self) -> WrittenShape {
        let is_size = |n: &u64| i64::try_from(*n).is_ok();
        self.with(
            self.lists
                .map(|list| list.iter().all(is_size).then(|| list.to_vec())),
        )
    }

    fn as_list(&self) -> WrittenShape {
        self.with(self.lists.map(|list| Some(list.to_vec())))
    }

    fn with(&self, shapes: InstanceShapes) -> WrittenShape {
        WrittenShape {
            defined: vec![self.defined.clone()],
            ..WrittenShape::new(self.term.clone(), shapes)
        }
    }
}

/// The goals that a person would write: the list is the shape of another leaf, all members are one number, or none is 0.
pub(super) fn goals(contents: &[LeafContents], leaves: &[&WrittenShape], all: &mut GoalTable) {
    for (i, own) in contents.iter().enumerate() {
        let list = own.as_list();
        for leaf in leaves {
            all.same(&list.defined, &list, leaf);
        }
        for other in &contents[i + 1..] {
            let defined = [own.defined.clone(), other.defined.clone()];
            all.same(&defined, &list, &other.as_list());
        }
        for number in [0, 1] {
            let filled = made::each(Term::Int(number), "_", &own.term);
            let goal = made::equal(&own.term, &filled);
            all.each(with(&list.defined, goal), &list, &|own| {
                own.iter().all(|n| *n == number)
            });
        }
        let goal = made::compare(&list.product(), CmpOp::Ne, Term::Int(0));
        all.each(with(&list.defined, goal), &list, &|own| !own.contains(&0));
    }
}
