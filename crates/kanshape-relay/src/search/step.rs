//! A program with gaps, and what fills one of them.

use std::cmp::Ordering;
use std::rc::Rc;

use kanshape::tree::relay::{
    Attr, Clause, Expr, ExprId, Function, Item, Literal, Param, Pattern, Program, Type,
};
use kanshape::tree::{Span, Spanned};

use crate::groups::each_expr;
use crate::search::Gap;

/// A program with gaps.
#[derive(Clone, Debug)]
pub(super) struct OpenProgram {
    pub(super) tree: Program,
    /// The lets that the search has made. Their values are used twice, otherwise there is no need of them.
    lets: Vec<ExprId>,
    /// The gaps of the values of lets, which no variable fills.
    pub(super) values: Vec<ExprId>,
    /// How many variables the search has bound.
    pub(super) bound: usize,
}

impl OpenProgram {
    pub(super) fn of(tree: Program) -> OpenProgram {
        OpenProgram {
            tree,
            lets: Vec::new(),
            values: Vec::new(),
            bound: 0,
        }
    }

    /// Is the value of each let used at two places at least?
    pub(super) fn uses_lets(&self) -> bool {
        self.lets.iter().all(|id| {
            let Expr::Let { name, body, .. } = self.tree.expr(*id) else {
                return true;
            };
            let mut count = 0;
            each_expr(&self.tree, *body, &mut |e| {
                count += usize::from(matches!(e, Expr::Local(local) if *local == name.node));
            });
            count >= 2
        })
    }
}

/// A constructor, with names for its fields.
pub(super) type ConstructorCase = (Box<str>, Vec<Box<str>>);

/// What fills a gap.
#[derive(Clone, Debug)]
pub(super) enum Fill {
    /// A variable, and the fields of it that are projected.
    Var(Box<str>, Vec<u64>),
    Literal(Literal),
    Tuple(usize),
    /// A call on this many gaps.
    Call(Expr, usize, Vec<Attr>),
    /// A constructor that takes nothing.
    Constant(Box<str>),
    /// A function of parameters with these names.
    Function(Vec<Box<str>>),
    /// A match of a variable: each constructor with the names of its fields.
    Match(Box<str>, Vec<ConstructorCase>),
    Let(Box<str>),
    /// The attributes of a call are chosen.
    Attrs(Vec<Attr>),
}

/// A program with gaps of which one is to be filled.
#[derive(Clone, Debug)]
pub(super) struct GapStep {
    pub(super) size: u32,
    /// How many attributes are not as they are by default.
    pub(super) attrs: u32,
    pub(super) order: u64,
    state: Rc<OpenProgram>,
    fill: Option<(ExprId, Fill)>,
}

impl GapStep {
    pub(super) fn first(state: Rc<OpenProgram>) -> GapStep {
        GapStep {
            size: 0,
            attrs: 0,
            order: 0,
            state,
            fill: None,
        }
    }

    pub(super) fn of(
        state: &Rc<OpenProgram>,
        at: ExprId,
        fill: Fill,
        size: u32,
        attrs: u32,
    ) -> GapStep {
        GapStep {
            size,
            attrs,
            order: 0,
            state: Rc::clone(state),
            fill: Some((at, fill)),
        }
    }

    /// Is the gap filled by a constant?
    pub(super) fn is_constant(&self) -> bool {
        matches!(self.fill, Some((_, Fill::Literal(_))))
    }

    /// The program with the gap filled.
    pub(super) fn taken(self) -> Option<Rc<OpenProgram>> {
        let Some((id, fill)) = self.fill else {
            return Some(self.state);
        };
        let mut state = Rc::unwrap_or_clone(self.state);
        state.values.retain(|own| *own != id);
        let at = Span::default();
        let gap = |tree: &mut Program| tree.add(Expr::Hole, at);
        let local = |name: &str| Spanned::new(Box::<str>::from(name), at);
        let tree = &mut state.tree;
        let e = match fill {
            Fill::Var(name, path) => {
                let mut e = Expr::Local(name);
                for field in path {
                    let of = tree.add(e, at);
                    e = Expr::Project(of, field);
                }
                e
            }
            Fill::Literal(literal) => Expr::Literal(literal),
            Fill::Tuple(count) => Expr::Tuple((0..count).map(|_| gap(tree)).collect()),
            Fill::Constant(name) => Expr::Name(name),
            Fill::Call(callee, count, attrs) => Expr::Call {
                callee: tree.add(callee, at),
                type_args: Vec::new(),
                args: (0..count).map(|_| gap(tree)).collect(),
                attrs,
            },
            Fill::Function(names) => {
                state.bound += names.len();
                let params = names.iter().map(|name| Param {
                    name: local(name),
                    ty: None,
                });
                Expr::Function(Box::new(Function {
                    binders: Vec::new(),
                    params: params.collect(),
                    result: None,
                    constraints: Vec::new(),
                    attrs: Vec::new(),
                    body: gap(tree),
                }))
            }
            Fill::Match(name, cases) => {
                let scrutinee = tree.add(Expr::Local(name), at);
                let mut clauses = Vec::with_capacity(cases.len());
                for (constructor, fields) in cases {
                    state.bound += fields.len();
                    let fields = fields
                        .iter()
                        .map(|name| Spanned::new(Pattern::Var(local(name), None), at));
                    let fields = fields.collect();
                    clauses.push(Clause {
                        pattern: Spanned::new(
                            Pattern::Constructor(local(&constructor), fields),
                            at,
                        ),
                        body: gap(tree),
                    });
                }
                Expr::Match {
                    scrutinee,
                    clauses,
                    is_complete: true,
                }
            }
            Fill::Let(name) => {
                state.bound += 1;
                let value = gap(tree);
                state.lets.push(id);
                state.values.push(value);
                Expr::Let {
                    name: local(&name),
                    ty: None,
                    value,
                    body: gap(tree),
                    is_graph: false,
                }
            }
            Fill::Attrs(attrs) => {
                let Expr::Call {
                    callee,
                    type_args,
                    args,
                    ..
                } = tree.expr(id).clone()
                else {
                    return None;
                };
                Expr::Call {
                    callee,
                    type_args,
                    args,
                    attrs,
                }
            }
        };
        let mut e = Some(e);
        tree.change(id.index(), &mut |own| {
            if let Some(e) = e.take() {
                *own = e;
            }
        });
        Some(Rc::new(state))
    }

    fn key(&self) -> (u32, u32, u64) {
        (self.size, self.attrs, self.order)
    }
}

impl Ord for GapStep {
    fn cmp(&self, other: &GapStep) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for GapStep {
    fn partial_cmp(&self, other: &GapStep) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for GapStep {
    fn eq(&self, other: &GapStep) -> bool {
        self.key() == other.key()
    }
}

impl Eq for GapStep {}

/// The gap that is filled next: the one of which most is known.
pub(super) fn chosen<'g>(gaps: &'g [Gap], state: &OpenProgram) -> Option<&'g Gap> {
    gaps.iter().min_by_key(|gap| {
        let known = match &gap.ty {
            Type::Hole | Type::Named(_) => 3,
            Type::Tensor(shape, _) => match &shape.node {
                kanshape::tree::relay::Shape::Dims(_) => 0,
                _ => 1,
            },
            _ => 0,
        };
        (known, state.values.contains(&gap.id))
    })
}

/// Calls `f` with the name of each variable that a program binds.
pub(super) fn each_variable(tree: &Program, f: &mut dyn FnMut(&str)) {
    for item in &tree.items {
        if let Item::Def(def) = item {
            def.function.params.iter().for_each(|p| f(&p.name.node));
        }
    }
    let all = tree.items.iter().filter_map(|item| match item {
        Item::Def(def) => Some(def.function.body),
        Item::Data(_) => None,
    });
    for body in all.chain(tree.main) {
        each_expr(tree, body, &mut |e| match e {
            Expr::Function(function) => function.params.iter().for_each(|p| f(&p.name.node)),
            Expr::Let { name, .. } => f(&name.node),
            Expr::Local(name) => f(name),
            Expr::Match { clauses, .. } => {
                let mut todo: Vec<&Pattern> = clauses.iter().map(|c| &c.pattern.node).collect();
                while let Some(pattern) = todo.pop() {
                    match pattern {
                        Pattern::Var(name, _) => f(&name.node),
                        Pattern::Constructor(_, parts) | Pattern::Tuple(parts) => {
                            todo.extend(parts.iter().map(|part| &part.node));
                        }
                        Pattern::Wildcard => {}
                    }
                }
            }
            _ => {}
        });
    }
}

/// Is something in an expression not written?
pub(super) fn has_gap(tree: &Program, id: ExprId) -> bool {
    let mut has = false;
    each_expr(tree, id, &mut |e| has |= matches!(e, Expr::Hole));
    has
}
