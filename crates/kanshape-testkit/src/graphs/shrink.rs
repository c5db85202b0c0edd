//! A smaller case that fails in the same way.

use std::collections::BTreeSet;

use kanshape_syntax::tree::{Expr, Ident};

use super::{Case, Member, SIZES};

/// How many smaller cases are tried.
const TRIES: u32 = 600;

/// Attributes that may not be left out.
const REQUIRED: [(&str, &str); 7] = [
    ("AveragePool", "kernel_shape"),
    ("Cast", "to"),
    ("Concat", "axis"),
    ("DepthToSpace", "blocksize"),
    ("Einsum", "equation"),
    ("MaxPool", "kernel_shape"),
    ("SpaceToDepth", "blocksize"),
];

/// The smallest case that can be found, step by step, of which `fails` is still true.
pub fn shrink(case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut best = case;
    let mut tries = 0;
    'smaller: loop {
        for smaller in smaller(&best) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            if fails(&smaller) {
                best = smaller;
                continue 'smaller;
            }
        }
        return best;
    }
}

/// Cases that are smaller by one step, those that are smaller by more first.
fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for i in (0..case.nodes.len()).rev() {
        all.push(without(case, i));
        all.extend(bypassed(case, i));
    }
    for name in case.names() {
        for size in SIZES {
            all.push(bound(case, &name, &|_| Expr::Int(size)));
        }
        for other in case.names().into_iter().filter(|other| *other < name) {
            all.push(bound(case, &name, &|ident: Ident| {
                Expr::Name(Ident::new(other.clone(), ident.span))
            }));
        }
    }
    for (i, node) in case.nodes.iter().enumerate() {
        for (a, (name, _)) in node.attrs.iter().enumerate() {
            if REQUIRED.contains(&(node.op.as_str(), name.as_str())) {
                continue;
            }
            let mut next = case.clone();
            next.nodes[i].attrs.remove(a);
            all.push(next);
        }
        for (a, (_, value)) in node.attrs.iter().enumerate() {
            for value in less(value) {
                let mut next = case.clone();
                next.nodes[i].attrs[a].1 = value;
                all.push(next);
            }
        }
        if node.inputs.len() > 1 {
            let mut next = case.clone();
            next.nodes[i].inputs.pop();
            all.push(tidy(next));
        }
        if node.outputs.len() > 1 {
            let mut next = case.clone();
            next.nodes[i].outputs.pop();
            all.push(next);
        }
    }
    for (i, (_, tensor)) in case.inputs.iter().enumerate() {
        for (d, dim) in tensor.dims.iter().enumerate() {
            if tensor.contents.is_none() {
                let mut next = case.clone();
                next.inputs[i].1.dims.remove(d);
                all.push(next);
            }
            match dim {
                Expr::Int(n) if tensor.contents.is_none() => {
                    for n in [1, n / 2, n.saturating_sub(1)]
                        .into_iter()
                        .filter(|m| m < n)
                    {
                        let mut next = case.clone();
                        next.inputs[i].1.dims[d] = Expr::Int(n);
                        all.push(next);
                    }
                }
                Expr::Int(_) | Expr::Name(_) => {}
                e => e.for_each_name(&mut |name| {
                    let mut next = case.clone();
                    next.inputs[i].1.dims[d] =
                        Expr::Name(Ident::new(name.into(), Default::default()));
                    all.push(next);
                }),
            }
        }
        let members = tensor.contents.iter().flatten().enumerate();
        for (m, member) in members {
            let Member::Int(n) = member else {
                continue;
            };
            for n in [0, 1, n / 2, n - n.signum()]
                .into_iter()
                .filter(|m| m.abs() < n.abs())
            {
                let mut next = case.clone();
                if let Some(contents) = &mut next.inputs[i].1.contents {
                    contents[m] = Member::Int(n);
                }
                all.push(next);
            }
            if let [Expr::Int(len)] = tensor.dims[..] {
                let mut next = case.clone();
                let tensor = &mut next.inputs[i].1;
                tensor.dims = vec![Expr::Int(len.saturating_sub(1))];
                if let Some(contents) = &mut tensor.contents {
                    contents.remove(m);
                }
                all.push(next);
            }
        }
    }
    all
}

/// Lists with one of their numbers smaller, and numbers that are smaller.
fn less(value: &str) -> Vec<String> {
    let Some(inner) = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')) else {
        return match value.parse::<i64>() {
            Ok(n) => [0, 1, n - n.signum()]
                .into_iter()
                .filter(|m| m.abs() < n.abs())
                .map(|m| m.to_string())
                .collect(),
            Err(_) => Vec::new(),
        };
    };
    let members: Vec<&str> = inner
        .split(',')
        .map(str::trim)
        .filter(|m| !m.is_empty())
        .collect();
    let mut all = Vec::new();
    for (i, member) in members.iter().enumerate() {
        for smaller in less(member) {
            let mut members: Vec<String> = members.iter().map(|m| (*m).into()).collect();
            members[i] = smaller;
            all.push(format!("[{}]", members.join(", ")));
        }
    }
    all
}

fn bound(case: &Case, name: &str, with: &dyn Fn(Ident) -> Expr) -> Case {
    let mut next = case.clone();
    for (_, tensor) in &mut next.inputs {
        for dim in &mut tensor.dims {
            let leaf = |ident: Ident| match *ident.node == *name {
                true => with(ident),
                false => Expr::Name(ident),
            };
            *dim = folded(dim.clone().map_leaves(&mut { leaf }));
        }
    }
    next
}

/// An expression without names is a number.
fn folded(e: Expr) -> Expr {
    match crate::symbolic::eval(&e, &Default::default()).map(u64::try_from) {
        Ok(Ok(n)) => Expr::Int(n),
        _ => e,
    }
}

/// Without a node, and without all that needs it.
fn without(case: &Case, node: usize) -> Case {
    let mut next = case.clone();
    let removed = next.nodes.remove(node);
    let mut missing: BTreeSet<String> = removed.outputs.into_iter().collect();
    next.nodes.retain(|node| {
        let lost = node.inputs.iter().flatten().any(|i| missing.contains(i));
        if lost {
            missing.extend(node.outputs.iter().cloned());
        }
        !lost
    });
    tidy(next)
}

/// Without a node, whatever took its first output taking one of its inputs.
fn bypassed(case: &Case, node: usize) -> Vec<Case> {
    let [output] = &case.nodes[node].outputs[..] else {
        return Vec::new();
    };
    let inputs = case.nodes[node].inputs.iter().flatten();
    let replaced = |input: &String| {
        let mut next = case.clone();
        next.nodes.remove(node);
        for node in &mut next.nodes {
            for i in node.inputs.iter_mut().flatten().filter(|i| *i == output) {
                i.clone_from(input);
            }
        }
        tidy(next)
    };
    inputs.map(replaced).collect()
}

/// Without the inputs that no node takes.
fn tidy(mut case: Case) -> Case {
    let used: BTreeSet<&String> = case
        .nodes
        .iter()
        .flat_map(|n| n.inputs.iter().flatten())
        .collect();
    let used: BTreeSet<String> = used.into_iter().cloned().collect();
    case.inputs.retain(|(name, _)| used.contains(name));
    case
}
