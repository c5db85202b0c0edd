//! Cases as text: `x: f32[N, 3]`, `y = Relu(x)`, one line each.

use std::fmt::{self, Display};
use std::str::FromStr;

use kanshape_syntax::tree::{Content, DimItem, DtypeExpr, Expr, Sign, Type};

use super::{Case, Member, Node, Tensor};

impl Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Member::Int(n) => n.fmt(f),
            Member::Other(text) => f.write_str(text),
            Member::Unknown => f.write_str("?"),
        }
    }
}

impl<D: Display> Display for Tensor<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |all: Vec<String>| all.join(", ");
        let dims = self.dims.iter().map(D::to_string).collect();
        write!(f, "{}[{}]", self.dtype, list(dims))?;
        match &self.contents {
            Some(members) => {
                let members = members.iter().map(Member::to_string).collect();
                write!(f, " = [{}]", list(members))
            }
            None => Ok(()),
        }
    }
}

impl Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = self.inputs.iter().map(|i| i.as_deref().unwrap_or("-"));
        let inputs: Vec<&str> = inputs.collect();
        let (outputs, inputs) = (self.outputs.join(", "), inputs.join(", "));
        write!(f, "{outputs} = {}({inputs})", self.op)?;
        for (i, (name, value)) in self.attrs.iter().enumerate() {
            let before = if i == 0 { " {" } else { "; " };
            write!(f, "{before}{name} = {value}")?;
        }
        f.write_str(if self.attrs.is_empty() { "" } else { "}" })
    }
}

impl Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, tensor) in &self.inputs {
            writeln!(f, "{name}: {tensor}")?;
        }
        self.nodes.iter().try_for_each(|node| writeln!(f, "{node}"))
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Case, String> {
        let mut case = Case::default();
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let wrong = || format!("`{line}` is neither `x: f32[2]` nor `y = Relu(x)`");
            match line
                .split_once(" = ")
                .filter(|(left, _)| !left.contains(':'))
            {
                Some((outputs, call)) => {
                    let outputs = outputs.split(',').map(|o| o.trim().into()).collect();
                    case.nodes.push(node(outputs, call).ok_or_else(wrong)?);
                }
                None => {
                    let (name, ty) = line.split_once(':').ok_or_else(wrong)?;
                    let ty = kanshape_syntax::parse_type(ty).map_err(|e| e.to_string())?;
                    let tensor = tensor(&ty.ty.node).ok_or_else(wrong)?;
                    case.inputs.push((name.trim().into(), tensor));
                }
            }
        }
        Ok(case)
    }
}

fn node(outputs: Vec<String>, call: &str) -> Option<Node> {
    let (op, rest) = call.split_once('(')?;
    let (inputs, rest) = rest.split_once(')')?;
    let input = |i: &str| (i != "-").then(|| i.to_owned());
    let inputs = inputs.split(',').map(str::trim).filter(|i| !i.is_empty());
    let mut attrs = Vec::new();
    if let Some(inner) = rest.trim().strip_prefix('{') {
        for attr in inner.strip_suffix('}')?.split(';') {
            let (name, value) = attr.split_once('=')?;
            attrs.push((name.trim().into(), value.trim().into()));
        }
    }
    Some(Node {
        op: op.trim().into(),
        attrs,
        inputs: inputs.map(input).collect(),
        outputs,
    })
}

fn tensor(ty: &Type) -> Option<Tensor<Expr>> {
    let Type::Tensor {
        dtype,
        shape,
        contents,
    } = ty
    else {
        return None;
    };
    let DtypeExpr::Name(dtype) = &dtype.node else {
        return None;
    };
    let dim = |item: &DimItem| match item {
        DimItem::Dim(e) => Some(e.clone()),
        DimItem::Hole | DimItem::Run(_) => None,
    };
    let contents = contents.as_ref().map(|all| {
        let members = all.node.iter().map(|m| Member::from(&m.node));
        members.collect()
    });
    Some(Tensor {
        dtype: dtype.node.to_string(),
        dims: shape.iter().map(|d| dim(&d.node)).collect::<Option<_>>()?,
        contents,
    })
}

impl From<&Content> for Member {
    fn from(content: &Content) -> Member {
        let int = |n: u64| i64::try_from(n).ok();
        let number = match content {
            Content::Hole => return Member::Unknown,
            Content::Dim(Expr::Int(n)) => int(*n),
            Content::Dim(Expr::Sum(terms)) => match terms[..] {
                [(Sign::Minus, Expr::Int(n))] => int(n).map(|n| -n),
                _ => None,
            },
            _ => None,
        };
        number.map_or_else(|| Member::Other(content.to_string()), Member::Int)
    }
}
