//! What a gap can be filled with, by its type.

use std::rc::Rc;

use kanshape::tree::Expr as Size;
use kanshape::tree::relay::{
    Dim, Expr, ExprId, Float, Item, Literal, LiteralKind, Program, Shape, Type,
};
use rustc_hash::FxHashMap;

use crate::groups;
use crate::kinds::is_dtype;
use crate::search::step::{ConstructorCase, Fill, GapStep, OpenProgram};
use crate::search::{Gap, Gives, Search};

/// The numbers of fields of tuples that are tried where nothing is known of a type.
const FIELDS: std::ops::RangeInclusive<usize> = 2..=4;

/// What is around a gap.
struct Around {
    /// The body of a function, behind its lets.
    is_body: bool,
    /// What an operator is called on.
    is_operand: bool,
    /// The variables that matches around it are of.
    matched: Vec<Box<str>>,
}

impl Search<'_> {
    /// Goes on with everything that can be in a gap.
    pub(super) fn expand(&mut self, state: &Rc<OpenProgram>, gap: &Gap, size: u32, attrs: u32) {
        let is_value = state.values.contains(&gap.id);
        // What a let costs is the first of its value.
        let free = u32::from(is_value);
        let mut all: Vec<(Fill, u32, u32)> = Vec::new();
        if !is_value {
            for (name, ty) in &gap.scope {
                if may_be(ty, &gap.ty) {
                    all.push((Fill::Var(name.clone(), Vec::new()), 0, 0));
                }
            }
        }
        for (name, ty) in &gap.scope {
            for (path, field) in fields(ty, self.size as usize) {
                if may_be(field, &gap.ty) {
                    let cost = path.len() as u32;
                    all.push((Fill::Var(name.clone(), path), cost, 0));
                }
            }
        }
        let around = self.around(&state.tree, gap.id);
        self.made(state, gap, &around, &mut all);
        for (name, ty) in &gap.scope {
            if let Type::Fn(function) = ty
                && may_be(&function.result.node, &gap.ty)
            {
                let callee = Expr::Local(name.clone());
                let count = function.params.len();
                all.push((Fill::Call(callee, count, Vec::new()), 1, 0));
            }
        }
        for (name, count) in &self.functions {
            let callee = Expr::Global(name.clone());
            all.push((Fill::Call(callee, *count, Vec::new()), 1, 0));
        }
        self.of_operators(gap, &mut all);
        for (name, ty) in &gap.scope {
            if !around.matched.contains(name)
                && let Some(cases) = self.cases(state, ty)
            {
                all.push((Fill::Match(name.clone(), cases), 1, 0));
            }
        }
        if around.is_body && !matches!(gap.ty, Type::Fn(_)) {
            let name = self.fresh(state, 1).swap_remove(0);
            all.push((Fill::Let(name), 1, 0));
        }
        for (fill, cost, own) in all {
            let size = (size + cost).saturating_sub(free);
            self.push(GapStep::of(state, gap.id, fill, size, attrs + own));
        }
    }

    /// What makes a value of the type of a gap.
    fn made(
        &mut self,
        state: &OpenProgram,
        gap: &Gap,
        around: &Around,
        all: &mut Vec<(Fill, u32, u32)>,
    ) {
        match &gap.ty {
            Type::Tuple(fields) => all.push((Fill::Tuple(fields.len()), 1, 0)),
            Type::Fn(function) => {
                let names = self.fresh(state, function.params.len());
                all.push((Fill::Function(names), 1, 0));
            }
            Type::Hole => {
                if around.is_operand {
                    all.extend(FIELDS.map(|count| (Fill::Tuple(count), 1, 0)));
                    let most = FIELDS.end();
                    self.cut(format!(
                        "where an operand may be any tuple, those of one field or more than {most} were not tried"
                    ));
                } else {
                    all.push((Fill::Tuple(*FIELDS.start()), 1, 0));
                }
                for item in &state.tree.items {
                    if let Item::Data(data) = item {
                        constructors(data, all);
                    }
                }
            }
            Type::Name(name) | Type::Apply(name, _) => {
                if let Some(data) = data_of(&state.tree, &name.node) {
                    constructors(data, all);
                }
            }
            _ => {}
        }
        if let Some(literal) = literal(&gap.ty) {
            all.push((Fill::Literal(literal), 1, 0));
        }
    }

    /// Calls of operators.
    fn of_operators(&self, gap: &Gap, all: &mut Vec<(Fill, u32, u32)>) {
        let (is_tensor, is_tuple) = match &gap.ty {
            Type::Hole => (true, true),
            Type::Tensor(..) => (true, false),
            Type::Name(name) => (is_dtype(&name.node), false),
            Type::Tuple(_) => (false, true),
            _ => (false, false),
        };
        for own in &self.operators {
            let is_one = match own.gives {
                Gives::Tensor => is_tensor,
                Gives::Tuple => is_tuple,
                Gives::Any => is_tensor || is_tuple,
            };
            if !is_one {
                continue;
            }
            let callee = Expr::Name(own.name.clone());
            let call = |attrs| Fill::Call(callee.clone(), own.operands, attrs);
            all.push((call(own.needed.clone()), 1, 0));
            if let Some(attrs) = &own.all {
                all.push((call(attrs.clone()), 1, 1));
            }
        }
    }

    /// The clauses of a match on a value of this type.
    fn cases(&self, state: &OpenProgram, ty: &Type) -> Option<Vec<ConstructorCase>> {
        let (Type::Name(name) | Type::Apply(name, _)) = ty else {
            return None;
        };
        let data = data_of(&state.tree, &name.node).filter(|data| !data.is_extern)?;
        let count = data.constructors.iter().map(|c| c.fields.len()).sum();
        let mut names = self.fresh(state, count).into_iter();
        let cases = data.constructors.iter().map(|constructor| {
            let fields = names.by_ref().take(constructor.fields.len());
            (constructor.name.node.clone(), fields.collect())
        });
        Some(cases.collect())
    }

    /// Names for this many variables.
    fn fresh(&self, state: &OpenProgram, count: usize) -> Vec<Box<str>> {
        let names = (0..).map(|i| Box::from(format!("y{i}")));
        let free = names.filter(|name| !self.names.contains(name));
        free.skip(state.bound).take(count).collect()
    }

    /// What is around a gap.
    fn around(&self, tree: &Program, gap: ExprId) -> Around {
        let mut outer: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut parts = Vec::new();
        for root in &self.roots {
            groups::each_id(tree, *root, &mut |id| {
                parts.clear();
                groups::parts(tree.expr(id), &mut parts);
                outer.extend(parts.iter().map(|part| (*part, id)));
            });
        }
        let mut around = Around {
            is_body: true,
            is_operand: false,
            matched: Vec::new(),
        };
        if let Some(next) = outer.get(&gap)
            && let Expr::Call { callee, .. } = tree.expr(*next)
        {
            around.is_operand = matches!(tree.expr(*callee), Expr::Name(_));
        }
        let mut at = gap;
        while let Some(next) = outer.get(&at) {
            match tree.expr(*next) {
                Expr::Let { body, .. } => around.is_body &= *body == at,
                Expr::Match { scrutinee, .. } => {
                    around.is_body = false;
                    if let Expr::Local(name) = tree.expr(*scrutinee) {
                        around.matched.push(name.clone());
                    }
                }
                _ => around.is_body = false,
            }
            at = *next;
        }
        around
    }
}

fn data_of<'t>(tree: &'t Program, name: &str) -> Option<&'t kanshape::tree::relay::Data> {
    tree.items.iter().find_map(|item| match item {
        Item::Data(data) if *data.name.node == *name => Some(data),
        _ => None,
    })
}

fn constructors(data: &kanshape::tree::relay::Data, all: &mut Vec<(Fill, u32, u32)>) {
    for constructor in &data.constructors {
        let name = constructor.name.node.clone();
        let fill = match constructor.fields.len() {
            0 => Fill::Constant(name),
            count => Fill::Call(Expr::Name(name), count, Vec::new()),
        };
        all.push((fill, 1, 0));
    }
}

/// A constant of a type: of a scalar whose dtype is known.
fn literal(ty: &Type) -> Option<Literal> {
    const DTYPES: [&str; 13] = [
        "bool", "float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64",
    ];
    let Type::Name(name) = ty else { return None };
    let dtype = DTYPES.into_iter().find(|dtype| **dtype == *name.node)?;
    let kind = match dtype {
        "bool" => LiteralKind::Bool(true),
        _ if dtype.contains("float") => LiteralKind::Float(Float::new(1.0)),
        _ => LiteralKind::Int(1),
    };
    Some(Literal { kind, dtype })
}

/// The fields of a tuple, and those of tuples in it, by their places; so many are projected at most.
fn fields(ty: &Type, most: usize) -> Vec<(Vec<u64>, &Type)> {
    let mut all: Vec<(Vec<u64>, &Type)> = vec![(Vec::new(), ty)];
    let mut next = 0;
    while let Some((path, ty)) = all.get(next) {
        if let Type::Tuple(own) = ty
            && path.len() < most
        {
            let path = path.clone();
            for (i, field) in own.iter().enumerate() {
                let mut path = path.clone();
                path.push(i as u64);
                all.push((path, &field.node));
            }
        }
        next += 1;
    }
    all.remove(0);
    all
}

/// Can a type be another, at first sight?
fn may_be(a: &Type, b: &Type) -> bool {
    let dims = |ty: &Type| match ty {
        Type::Tensor(shape, _) => match &shape.node {
            Shape::Dims(dims) => {
                let has_rest = dims.iter().any(|dim| matches!(dim.node, Dim::Rest(_)));
                let sizes = dims.iter().map(|dim| match dim.node {
                    Dim::Expr(Size::Int(n)) => Some(n),
                    _ => None,
                });
                Some((!has_rest).then(|| sizes.collect::<Vec<_>>()))
            }
            _ => Some(None),
        },
        Type::Name(name) if is_dtype(&name.node) => Some(Some(Vec::new())),
        _ => None,
    };
    match (a, b) {
        (Type::Hole, _) | (_, Type::Hole) => true,
        (Type::Tuple(xs), Type::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| may_be(&x.node, &y.node))
        }
        (Type::Fn(f), Type::Fn(g)) => f.params.len() == g.params.len(),
        (Type::Apply(f, _), Type::Apply(g, _)) => f.node == g.node,
        (Type::Ref(x), Type::Ref(y)) => may_be(&x.node, &y.node),
        _ => match (dims(a), dims(b)) {
            (Some(Some(xs)), Some(Some(ys))) => {
                let differ =
                    |x: &Option<u64>, y: &Option<u64>| x.is_some() && y.is_some() && x != y;
                xs.len() == ys.len() && !xs.iter().zip(&ys).any(|(x, y)| differ(x, y))
            }
            (Some(_), Some(_)) => true,
            (None, None) => a == b || !matches!((a, b), (Type::Name(_), Type::Name(_))),
            _ => false,
        },
    }
}
