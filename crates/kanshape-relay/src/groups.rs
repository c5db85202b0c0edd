//! Which globals call each other: strongly connected groups, callees first (Tarjan).

use kanshape::tree::relay::{Def, Expr, ExprId, Program};
use rustc_hash::FxHashMap;

/// Calls `f` with each expression in `id`, which is one of them.
pub(crate) fn each_expr(program: &Program, id: ExprId, f: &mut dyn FnMut(&Expr)) {
    each_id(program, id, &mut |id| f(program.expr(id)));
}

/// The same with its number.
pub(crate) fn each_id(program: &Program, id: ExprId, f: &mut dyn FnMut(ExprId)) {
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        f(id);
        parts(program.expr(id), &mut todo);
    }
}

/// The expressions that one is made of.
pub(crate) fn parts(e: &Expr, into: &mut Vec<ExprId>) {
    match e {
        Expr::Tuple(fields) => into.extend(fields),
        Expr::Project(of, _) | Expr::Negate(of) | Expr::RefNew(of) | Expr::RefRead(of) => {
            into.push(*of);
        }
        Expr::Call { callee, args, .. } => {
            into.push(*callee);
            into.extend(args);
        }
        Expr::Binary(_, a, b) | Expr::Seq(a, b) | Expr::RefWrite(a, b) => {
            into.extend([*a, *b]);
        }
        Expr::Function(function) => into.push(function.body),
        Expr::Let { value, body, .. } => into.extend([*value, *body]),
        Expr::If(a, b, c) => into.extend([*a, *b, *c]),
        Expr::Match {
            scrutinee, clauses, ..
        } => {
            into.push(*scrutinee);
            into.extend(clauses.iter().map(|clause| clause.body));
        }
        Expr::Local(_)
        | Expr::Global(_)
        | Expr::Name(_)
        | Expr::Literal(_)
        | Expr::Text(_)
        | Expr::Meta(_)
        | Expr::Hole => {}
    }
}

/// What an expression gives: the last one of its lets.
pub(crate) fn last(program: &Program, mut id: ExprId) -> ExprId {
    loop {
        match program.expr(id) {
            Expr::Let { body, .. } => id = *body,
            Expr::Seq(_, rest) => id = *rest,
            _ => return id,
        }
    }
}

/// Does a function name itself?
pub(crate) fn calls_itself(program: &Program, def: &Def) -> bool {
    let mut found = false;
    each_expr(program, def.function.body, &mut |e| {
        found |= matches!(e, Expr::Global(name) | Expr::Name(name) if *name == def.name.node);
    });
    found
}

/// Does an expression name this variable?
pub(crate) fn names_local(program: &Program, id: ExprId, local: &str) -> bool {
    let mut found = false;
    each_expr(program, id, &mut |e| {
        found |= matches!(e, Expr::Local(name) if **name == *local);
    });
    found
}

/// The groups of definitions that call each other, by their places; each after those that it calls.
pub(crate) fn of(program: &Program, defs: &[&Def]) -> Vec<Vec<usize>> {
    let places: FxHashMap<&str, usize> = defs
        .iter()
        .enumerate()
        .map(|(i, def)| (&*def.name.node, i))
        .collect();
    let calls: Vec<Vec<usize>> = defs
        .iter()
        .map(|def| {
            let mut own = Vec::new();
            each_expr(program, def.function.body, &mut |e| {
                if let Expr::Global(name) | Expr::Name(name) = e {
                    own.extend(places.get(&**name));
                }
            });
            own.sort_unstable();
            own.dedup();
            own
        })
        .collect();
    tarjan(&calls)
}

fn tarjan(calls: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = calls.len();
    let (mut index, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut groups, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((v, place)) = work.pop() {
            if place == 0 {
                index[v] = next;
                low[v] = next;
                next += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(w) = calls[v].get(place).copied() {
                work.push((v, place + 1));
                if index[w] == NEW {
                    work.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            if low[v] == index[v] {
                let mut group = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    group.push(w);
                    if w == v {
                        break;
                    }
                }
                group.sort_unstable();
                groups.push(group);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
        }
    }
    groups
}
