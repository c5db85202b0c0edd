//! The variables of a rule: where they stand, and of which kind they are.

use kanshape::tree::relation::{self, Applied, Element, Node, Term};
use kanshape::{AttrValue, Diagnostic, Operator, Relations};

use super::{FamilyVariable, is_written};
use crate::program;

/// Looks for variables.
pub(super) struct VariableSearch<'r> {
    pub(super) rule: &'r relation::Rule,
    pub(super) relations: &'r Relations,
    pub(super) opset: Option<u64>,
    pub(super) variables: Vec<FamilyVariable>,
    pub(super) is_left: bool,
}

impl VariableSearch<'_> {
    pub(super) fn node(&mut self, node: &Node) -> Result<(), Diagnostic> {
        match node {
            Node::Leaf(_) | Node::Constant(_) | Node::None => Ok(()),
            Node::Literal(term) => {
                self.term(&term.node, "int");
                Ok(())
            }
            Node::Call(call) => {
                let operator =
                    program::operator(self.relations, &self.rule.domain, call, self.opset)?;
                self.attrs(&operator, call)?;
                call.args.iter().try_for_each(|arg| self.node(&arg.node))
            }
        }
    }

    fn attrs(&mut self, operator: &Operator, call: &Applied) -> Result<(), Diagnostic> {
        for (name, term) in &call.attrs {
            let attribute = operator.attribute(&name.node)?;
            if let Term::Name(word) = &term.node {
                let is_declared = self.declared(&word.node).is_some();
                let is_word = |value: AttrValue| is_written(&value);
                if !is_declared && attribute.read(&word.node).is_ok_and(is_word) {
                    continue;
                }
            }
            let kind = match () {
                () if attribute.is_list() => "ints",
                () if attribute.is_float() => "float",
                () if attribute.is_bool() => "bool",
                () => "int",
            };
            self.term(&term.node, kind);
        }
        Ok(())
    }

    /// The kind of a variable in the head of the rule.
    fn declared(&self, name: &str) -> Option<&'static str> {
        let attr = self
            .rule
            .attrs
            .iter()
            .find(|attr| *attr.name.node == *name)?;
        Some(match &*attr.kind.node {
            "ints" => "ints",
            "float" => "float",
            "bool" => "bool",
            "int" => "int",
            _ => "other",
        })
    }

    /// The variables in a term where a value of this kind is wanted.
    fn term(&mut self, term: &Term, kind: &'static str) {
        match term {
            Term::Name(name) => {
                if name.node.parse::<kanshape::Dtype>().is_ok() {
                    return;
                }
                let kind = self.declared(&name.node).unwrap_or(kind);
                let is_left = self.is_left;
                match self.variables.iter_mut().find(|v| v.name == name.node) {
                    Some(known) => known.is_left |= is_left,
                    None => self.variables.push(FamilyVariable {
                        name: name.node.clone(),
                        kind,
                        is_left,
                    }),
                }
            }
            Term::List(members) => members.iter().for_each(|member| match member {
                Element::One(one) => self.term(&one.node, "int"),
                Element::Rest(Some(rest)) => self.term(&rest.node, "ints"),
                Element::Rest(None) => {}
            }),
            Term::Sum(addends) => addends.iter().for_each(|a| self.term(&a.1.node, "int")),
            Term::Chain(first, rest) => {
                self.term(&first.node, "int");
                rest.iter()
                    .for_each(|(_, term)| self.term(&term.node, "int"));
            }
            Term::CeilDiv(a, b) => {
                self.term(&a.node, "int");
                self.term(&b.node, "int");
            }
            Term::Index(of, at) => {
                self.term(&of.node, "ints");
                self.term(&at.node, "int");
            }
            Term::Slice(of, from, to) => {
                self.term(&of.node, "ints");
                for end in [from, to].into_iter().flatten() {
                    self.term(&end.node, "int");
                }
            }
            Term::Call(_, args) => args.iter().for_each(|arg| self.term(&arg.node, "ints")),
            Term::Each { body, names, lists } => {
                lists.iter().for_each(|list| self.term(&list.node, "ints"));
                let before = self.variables.len();
                self.term(&body.node, "int");
                // What the members are called is known here alone.
                let mut at = 0;
                self.variables.retain(|v| {
                    at += 1;
                    at <= before || !names.iter().any(|name| name.node == v.name)
                });
            }
            Term::Any | Term::Int(_) | Term::Float(_) => {}
            Term::Text(_) | Term::Bool(_) | Term::None => {}
        }
    }
}
