//! Rules with types: [`typed`] right sides and [`named`] rules.

use std::sync::Arc;

use egg::{
    Applier, EGraph, ENodeOrVar, FromOp, Id, Pattern, PatternAst, Rewrite, SearchMatches, Subst,
    Symbol, Var,
};
use kanshape::graph::{Graph, ValueId};
use smallvec::SmallVec;

use crate::analysis::{ClassKind, TypeAnalysis};
use crate::conflict::Refusal;
use crate::language::TypedLanguage;
use crate::needs::{Needs, needs};

/// A right side that is added only where it has the type of the left side: [`typed`].
#[derive(Clone, Debug)]
pub struct Typed<L> {
    pattern: Pattern<L>,
}

/// A right side that is typed before it is added. Where it has no type, another one than the left side, or the same under
/// a condition only, it is not added: [`TypeAnalysis::refused`] says why.
///
/// ```
/// # use egg::{Id, Symbol, EGraph, Rewrite, Runner, define_language, rewrite};
/// # use kanshape_egg::{Term, TypeAnalysis, TypedLanguage};
/// # define_language! { enum Lang { "add" = Add([Id; 2]), "neg" = Neg([Id; 1]), Sym(Symbol), } }
/// # impl TypedLanguage for Lang {
/// #     fn term(&self) -> Term<'_> {
/// #         match self {
/// #             Lang::Add([a, b]) => Term::op("onnx::Add", [a, b]),
/// #             Lang::Neg([a]) => Term::op("onnx::Neg", [a]),
/// #             Lang::Sym(name) => Term::Leaf(name.as_str()),
/// #         }
/// #     }
/// # }
/// use kanshape_egg::typed;
///
/// // `x + 0 = x` is wrong where the zero has more dims.
/// let rule: Rewrite<Lang, TypeAnalysis> = rewrite!("zero"; "(add ?x zero)" => { typed("?x")? });
/// let mut types = TypeAnalysis::new(kanshape::catalog());
/// types.leaf("x", &"f32[3]".parse()?)?;
/// types.leaf("zero", &"f32[2, 3]".parse()?)?;
/// let runner = Runner::<_, _, ()>::new(types).with_expr(&"(add x zero)".parse()?).run(&[rule]);
/// let refused = &runner.egraph.analysis.refused()[0];
/// assert_eq!(refused.rule.as_str(), "zero");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As the text of a pattern has.
pub fn typed<L: FromOp>(right: &str) -> Result<Typed<L>, <Pattern<L> as std::str::FromStr>::Err> {
    Ok(Typed {
        pattern: right.parse()?,
    })
}

/// What a place of a right side is.
#[derive(Clone, Copy)]
enum RightPlace {
    /// A class that there is.
    Class(Id),
    New(ClassKind),
}

impl<L: TypedLanguage> Typed<L> {
    /// May the right side be added? If so, what it is made of is in the graph.
    fn assess(
        &self,
        egraph: &mut EGraph<L, TypeAnalysis>,
        class: Id,
        subst: &Subst,
    ) -> Result<(), Refusal> {
        let nodes = self.pattern.ast.as_ref();
        let mut places: SmallVec<[RightPlace; 16]> = SmallVec::new();
        let mut before: Option<Graph> = None;
        let mut found = Ok(());
        for node in nodes {
            let node = match node {
                ENodeOrVar::Var(v) => {
                    places.push(RightPlace::Class(subst[*v]));
                    continue;
                }
                ENodeOrVar::ENode(node) => node,
            };
            let is_class = |id: &Id| matches!(places[usize::from(*id)], RightPlace::Class(_));
            if node.children().iter().all(is_class) {
                let known = node
                    .clone()
                    .map_children(|id| match places[usize::from(id)] {
                        RightPlace::Class(class) => class,
                        RightPlace::New(_) => id,
                    });
                if let Some(class) = egraph.lookup(known) {
                    places.push(RightPlace::Class(class));
                    continue;
                }
            }
            let kinds: SmallVec<[ClassKind; 16]> = places
                .iter()
                .map(|place| match place {
                    RightPlace::Class(class) => egraph[*class].data.kind,
                    RightPlace::New(kind) => *kind,
                })
                .collect();
            let this = &mut egraph.analysis;
            if before.is_none() {
                before = Some(this.begin());
            }
            match this.kind(class, node.term(), &|id| kinds[usize::from(id)]) {
                Ok(kind) => places.push(RightPlace::New(kind)),
                Err(why) => {
                    found = Err(Refusal::IllTyped(why));
                    break;
                }
            }
        }
        if found.is_ok() {
            found = self.compare(egraph, class, subst, places.last().copied(), &mut before);
        }
        let is_refused = found.is_err();
        egraph.analysis.end(before.filter(|_| is_refused));
        found
    }

    /// Is the right side what the left side is, without a condition on what both are made of?
    fn compare(
        &self,
        egraph: &mut EGraph<L, TypeAnalysis>,
        class: Id,
        subst: &Subst,
        root: Option<RightPlace>,
        before: &mut Option<Graph>,
    ) -> Result<(), Refusal> {
        let left = egraph[class].data.kind;
        let right = match root {
            Some(RightPlace::Class(other)) if egraph.find(other) == egraph.find(class) => {
                return Ok(());
            }
            Some(RightPlace::Class(other)) => egraph[other].data.kind,
            Some(RightPlace::New(kind)) => kind,
            None => return Ok(()),
        };
        let mut values: Vec<ValueId> = Vec::new();
        for var in self.pattern.vars() {
            let kind = egraph[subst[var]].data.kind;
            values.extend(egraph.analysis.operand(kind));
        }
        let this = &mut egraph.analysis;
        let (Some(left), Some(right)) = (this.operand(left), this.operand(right)) else {
            // What is ill-typed already is not made worse.
            return Ok(());
        };
        values.push(left);
        let is_same = this.graph.is_known_same(left, right);
        if !is_same {
            if before.is_none() {
                *before = Some(this.begin());
            }
            let made = this.graph.equate(left, right);
            made.map_err(|conflict| Refusal::OtherType(*conflict.diagnostic))?;
        }
        let Some(before) = before else {
            return Ok(());
        };
        if is_same && !this.graph.asks_beyond(before) {
            return Ok(());
        }
        match needs(before, &mut this.graph, &values) {
            Needs::Nothing => Ok(()),
            Needs::These(conditions) => Err(Refusal::Depends(conditions)),
            Needs::Unknown => Err(Refusal::Unknown),
        }
    }
}

impl<L: TypedLanguage> Applier<L, TypeAnalysis> for Typed<L> {
    fn get_pattern_ast(&self) -> Option<&PatternAst<L>> {
        Some(&self.pattern.ast)
    }

    fn apply_one(
        &self,
        egraph: &mut EGraph<L, TypeAnalysis>,
        eclass: Id,
        subst: &Subst,
        searcher_ast: Option<&PatternAst<L>>,
        rule_name: Symbol,
    ) -> Vec<Id> {
        if let Err(why) = self.assess(egraph, eclass, subst) {
            egraph.analysis.refuse(rule_name, eclass, why);
            return Vec::new();
        }
        let pattern = &self.pattern;
        by_rule(egraph, rule_name, |egraph| {
            pattern.apply_one(egraph, eclass, subst, searcher_ast, rule_name)
        })
    }

    fn vars(&self) -> Vec<Var> {
        self.pattern.vars()
    }
}

/// The same rule, of which an analysis knows the name when it is applied: a conflict says which rule it is by. With egg's
/// explanations this is known of every rule, but for e-nodes that are ill-typed by themselves.
pub fn named<L: TypedLanguage + 'static>(
    mut rule: Rewrite<L, TypeAnalysis>,
) -> Rewrite<L, TypeAnalysis> {
    rule.applier = Arc::new(NamedPattern(rule.applier));
    rule
}

/// Applies a rule, of which the analysis knows the name meanwhile.
fn by_rule<L: TypedLanguage>(
    egraph: &mut EGraph<L, TypeAnalysis>,
    rule: Symbol,
    apply: impl FnOnce(&mut EGraph<L, TypeAnalysis>) -> Vec<Id>,
) -> Vec<Id> {
    let outer = egraph.analysis.rule.replace(rule);
    let ids = apply(egraph);
    egraph.analysis.rule = outer;
    ids
}

struct NamedPattern<L>(Arc<dyn Applier<L, TypeAnalysis> + Sync + Send>);

impl<L: TypedLanguage> Applier<L, TypeAnalysis> for NamedPattern<L> {
    fn get_pattern_ast(&self) -> Option<&PatternAst<L>> {
        self.0.get_pattern_ast()
    }

    fn apply_matches(
        &self,
        egraph: &mut EGraph<L, TypeAnalysis>,
        matches: &[SearchMatches<L>],
        rule_name: Symbol,
    ) -> Vec<Id> {
        by_rule(egraph, rule_name, |egraph| {
            self.0.apply_matches(egraph, matches, rule_name)
        })
    }

    fn apply_one(
        &self,
        egraph: &mut EGraph<L, TypeAnalysis>,
        eclass: Id,
        subst: &Subst,
        searcher_ast: Option<&PatternAst<L>>,
        rule_name: Symbol,
    ) -> Vec<Id> {
        by_rule(egraph, rule_name, |egraph| {
            self.0
                .apply_one(egraph, eclass, subst, searcher_ast, rule_name)
        })
    }

    fn vars(&self) -> Vec<Var> {
        self.0.vars()
    }
}
