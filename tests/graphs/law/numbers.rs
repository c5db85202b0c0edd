//! Nodes run on numbers.

use std::collections::HashMap;

use kanshape::tree;
use kanshape::{Answer, Call, Dim, Query, Relations, Signature, Type, Verdict, catalog};
use kanshape_testkit::graphs::{Concrete, Machine, Member, Node, Ran};

/// Runs nodes on numbers, each once for the same numbers.
pub(super) struct Numbers {
    relations: &'static Relations,
    pub(super) known: HashMap<(String, Vec<Option<Concrete>>), Ran>,
}

impl Numbers {
    pub(super) fn new() -> Numbers {
        Numbers {
            relations: catalog(),
            known: HashMap::new(),
        }
    }

    fn ask(&self, node: &Node, inputs: &[Option<Concrete>]) -> Ran {
        let read = |t: &Concrete| t.to_string().parse::<Type>().ok();
        let types: Vec<Option<Type>> = inputs.iter().map(|t| t.as_ref().and_then(read)).collect();
        if types
            .iter()
            .zip(inputs)
            .any(|(ty, t)| ty.is_none() && t.is_some())
        {
            return Ran::Open;
        }
        let Ok(query) = self.query(node, types) else {
            return Ran::Fails;
        };
        let Ok(mut answers) = query.limit(2).solve() else {
            return Ran::Open;
        };
        let verdict = answers.verdict();
        let all: Vec<Answer> = answers.by_ref().collect();
        let outputs = match &all[..] {
            [answer] => {
                let outputs = answer.outputs.iter().take(node.outputs.len());
                outputs.map(concrete).collect::<Option<Vec<Concrete>>>()
            }
            _ => None,
        };
        match (verdict, outputs) {
            (Verdict::Never, _) => Ran::Fails,
            (Verdict::Always, Some(outputs)) => Ran::Gives(outputs),
            // Whatever is open in it is existential.
            (Verdict::Always | Verdict::Depends, outputs) if is_signature(node) => {
                Ran::Gives(outputs.unwrap_or_default())
            }
            (Verdict::Always | Verdict::Depends | Verdict::Unknown, _) => Ran::Open,
        }
    }

    /// The question about a call, of an operator or of a signature.
    pub(super) fn query(&self, node: &Node, inputs: Vec<Option<Type>>) -> Result<Query, String> {
        if is_signature(node) {
            let signature: Signature = node.op.parse().map_err(|e| format!("{e}"))?;
            let query = signature.query().inputs(inputs.into_iter().flatten());
            let size = |text: &String| text.parse::<u64>().unwrap();
            let params = node.attrs.iter();
            return Ok(params.fold(query, |query, (name, text)| {
                query.param(name, Dim::Size(size(text)))
            }));
        }
        let name = format!("onnx::{}", node.op);
        let operator = self
            .relations
            .operator(&name, None)
            .map_err(|e| e.to_string())?;
        let attrs = node.attrs.iter();
        let call = Call {
            inputs,
            outputs: Some(vec![Some(Type::UNKNOWN); node.outputs.len()]),
            attrs: attrs
                .map(|(n, v)| (n.as_str().into(), v.as_str().into()))
                .collect(),
            ..Call::default()
        };
        operator.query(call).map_err(|e| e.to_string())
    }
}

/// Is the node a call of a signature, rather than of an operator?
fn is_signature(node: &Node) -> bool {
    node.op.contains("->")
}

impl Machine for Numbers {
    fn run(&mut self, node: &Node, inputs: &[Option<Concrete>]) -> Ran {
        let key = (
            format!("{} {:?} {}", node.op, node.attrs, node.outputs.len()),
            inputs.to_vec(),
        );
        if let Some(ran) = self.known.get(&key) {
            return ran.clone();
        }
        let ran = self.ask(node, inputs);
        self.known.insert(key, ran.clone());
        ran
    }
}

/// A type in which nothing but contents is open.
fn concrete(ty: &Type) -> Option<Concrete> {
    let tensor = ty.as_tensor()?;
    // A float is written as its dtype has it, so as claims have it.
    let contents = match ty.to_tree().ty.node {
        tree::Type::Tensor { contents, .. } => contents,
        _ => None,
    };
    let contents = contents.map(|all| all.node.iter().map(|c| member(&c.node)).collect());
    tensor.shape.rank()?;
    Some(Concrete {
        dtype: tensor.dtype.to_string(),
        dims: tensor.shape.iter().map(Dim::size).collect::<Option<_>>()?,
        contents,
    })
}

/// A member of contents. The names of an answer are its own, so a member that is no number is unknown.
fn member(content: &tree::Content) -> Member {
    match (content, Member::from(content)) {
        (tree::Content::Dim(_), Member::Other(_)) => Member::Unknown,
        (_, member) => member,
    }
}
