//! What can be said on the command line.

use kanshape_batch::model::select::Only;
use kanshape_batch::notation::Notation;
use kanshape_batch::type_json::TypesAs;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kanshape::Promotion;

use crate::deferred::Deferred;
use crate::help;
use kanshape_batch::effort::{Effort, seconds};

/// Types of tensor operators: one signature, every direction
///
/// A signature is a relation between the shapes and dtypes of an operator's inputs, outputs and
/// parameters. Give what you know, and the rest follows: forwards, backwards or sideways.
#[derive(Debug, Parser)]
#[command(name = "kanshape", version, after_help = help::MAIN, propagate_version = true)]
pub(crate) struct Cli {
    /// When to use colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true,
        display_order = 900
    )]
    pub(crate) color: Colour,

    #[command(flatten)]
    pub(crate) effort: EffortArgs,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How long a question may take.
#[derive(Clone, Debug, Args)]
pub(crate) struct EffortArgs {
    /// The steps that a question may take [default: 1000000; of a model, as many as it needs]
    #[arg(long, global = true, value_name = "STEPS", display_order = 800)]
    pub(crate) budget: Option<u64>,

    /// The seconds that a question, or a model, may take: 0.5, 10
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds, display_order = 801)]
    pub(crate) timeout: Option<Duration>,
}

impl From<&EffortArgs> for Effort {
    fn from(args: &EffortArgs) -> Effort {
        Effort {
            budget: args.budget,
            timeout: args.timeout,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what follows from what is given
    #[command(after_help = help::INFER)]
    Infer(Deferred<QueryArgs>),
    /// List all ground answers within bounds
    #[command(after_help = help::ENUM)]
    Enum(Deferred<EnumArgs>),
    /// Answer a query a line, in JSON
    #[command(after_help = help::BATCH)]
    Batch(Deferred<BatchArgs>),
    /// Compare two types
    #[command(after_help = help::TYPES)]
    Types(Deferred<TypesArgs>),
    /// Type every value of ONNX models, and programs in Relay's text format
    #[command(after_help = help::CHECK)]
    Check(Deferred<CheckArgs>),
    /// Say what an ONNX model is as one line: its inputs, its outputs, its conditions
    #[command(after_help = help::SIGNATURE)]
    Signature(Deferred<ModelArgs>),
    /// Say where a size in an ONNX model comes from
    #[command(after_help = help::WHY)]
    Why(Deferred<WhyArgs>),
    /// Compare two ONNX models: nodes, types, conditions
    #[command(after_help = help::DIFF)]
    Diff(Deferred<DiffArgs>),
    /// Write what is known of an ONNX model as one file for a browser
    #[command(after_help = help::REPORT)]
    Report(Deferred<ReportArgs>),
    /// Show the page in the browser from this program, on this machine alone
    #[command(after_help = help::SERVE)]
    Serve(Deferred<ServeArgs>),
    /// Check rewrite rules for all shapes
    #[command(after_help = help::RULE)]
    Rule(Deferred<RuleArgs>),
    /// Apply rewrite rules to an ONNX model
    #[command(after_help = help::REWRITE)]
    Rewrite(Deferred<RewriteArgs>),
    /// Take out of an ONNX model what it does not need
    #[command(after_help = help::SIMPLIFY)]
    Simplify(Deferred<SimplifyArgs>),
    /// Find operators that make a type of others
    #[command(after_help = help::FIND)]
    Find(Deferred<FindArgs>),
    /// Find programs in Relay's text format that have a type, or that fill the gaps of one
    #[command(after_help = help::PROGRAM)]
    Program(Deferred<ProgramArgs>),
    /// Show how a signature is read
    #[command(after_help = help::PARSE)]
    Parse(Deferred<ParseArgs>),
    /// Show the operators that have a name
    #[command(after_help = help::CATALOG)]
    Catalog(Deferred<CatalogArgs>),
    /// Answer one question after another
    #[command(after_help = help::REPL)]
    Repl(Deferred<ReplArgs>),
    /// Say what the code of a diagnostic means
    #[command(after_help = help::EXPLAIN)]
    Explain(Deferred<ExplainArgs>),
    /// Print completions for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(Deferred<CompletionsArgs>),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What is given, and how to look for the rest.
#[derive(Clone, Debug, Args)]
pub(crate) struct QueryArgs {
    /// A signature, or the name of an operator in a catalog: matmul, onnx::Conv
    pub(crate) signature: String,

    /// The types of the inputs, `?` for one of which nothing is known, `-` for one that is left out, `? or -` for
    /// one that may be; none at all is all unknown
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,

    /// The type of the next output, `?` and `-` as for inputs
    #[arg(short = 'o', long = "output", value_name = "TYPE")]
    pub(crate) outputs: Vec<String>,

    /// The value of a parameter; `s=?` queries it
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE")]
    pub(crate) params: Vec<String>,

    /// The value of an operator's attribute; `strides=?` queries it
    #[arg(short = 'a', long = "attr", value_name = "NAME=VALUE")]
    pub(crate) attrs: Vec<String>,

    /// The version of the operator set; the newest one unless given
    #[arg(long, value_name = "VERSION")]
    pub(crate) opset: Option<u64>,

    /// A condition between the names of the given types
    #[arg(short = 'w', long = "where", value_name = "COND")]
    pub(crate) conditions: Vec<String>,

    /// Give at most N answers [default: 20, and none for enum]
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Whose rules say what dtypes promote to
    #[arg(long, value_name = "TABLE", default_value = "numpy", value_parser = promotion)]
    pub(crate) promotion: Promotion,

    /// No shape has more dims than N
    #[arg(long, value_name = "N")]
    pub(crate) max_rank: Option<u64>,

    /// Give ground answers, with no size above N but those given
    #[arg(long, value_name = "N")]
    pub(crate) max_dim: Option<u64>,

    /// Take every size with an identity, `6@district`, for its plain size
    #[arg(long)]
    pub(crate) plain_sizes: bool,

    /// Where there is no solution, give all the reasons that have nothing in common
    #[arg(long)]
    pub(crate) all: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// How types are written in JSON: `text`, or `data`, objects of a dtype and a shape
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) types: TypesAs,

    /// How types are read and written: `kanshape`, or `relay`, `Tensor[(2, n), float32]`
    #[arg(
        long,
        value_enum,
        value_name = "NAME",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) notation: Notation,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// The files of operators and relations that are loaded.
#[derive(Clone, Debug, Args)]
pub(crate) struct LoadArgs {
    /// Operators of ONNX take what its executors take, and not only what the specification allows
    #[arg(long)]
    pub(crate) lenient: bool,

    /// A file of operators and relations, on top of those of ONNX
    #[arg(long = "load", id = "load", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct EnumArgs {
    #[command(flatten)]
    pub(crate) query: QueryArgs,

    /// Print how many there are, and nothing else
    #[arg(long, conflicts_with = "json")]
    pub(crate) count: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Files of queries, one a line; `-` or none is standard input
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// How types are written in JSON: `text`, or `data`, objects of a dtype and a shape
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) types: TypesAs,

    /// An ONNX model that lines can be about, by this path; several if it is repeated
    #[arg(long = "model", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RuleArgs {
    #[command(subcommand)]
    pub(crate) command: RuleCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RuleCommand {
    /// Say whether the right side has the type of the left side wherever that has one, and what is missing
    Check(RuleCheckArgs),
    /// List the rules between small terms of some operators that keep types for all shapes
    Enum(RuleEnumArgs),
}

/// A language in which a predicate is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PredicateLanguage {
    /// Python 3.8 and later
    Python,
    /// C++ 17 and later
    #[value(name = "c++")]
    Cpp,
}

#[derive(Debug, Args)]
pub(crate) struct RuleEnumArgs {
    /// The operators, with attributes: onnx::Add,onnx::Transpose[perm = [1, 0]]
    #[arg(long, value_name = "NAME,...", required = true)]
    pub(crate) ops: Vec<String>,

    /// The most operators of a side
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) size: usize,

    /// The most leaves of a side, 4 at most
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) leaves: usize,

    /// A file with rules that are known: neither they nor what follows from them is listed
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) known: Vec<PathBuf>,

    /// The version of the operator set; the newest one unless given
    #[arg(long, value_name = "VERSION")]
    pub(crate) opset: Option<u64>,

    /// List the rules that keep types, whether both sides are the same numbers or not
    #[arg(long)]
    pub(crate) types_only: bool,

    #[command(flatten)]
    pub(crate) bounds: BoundArgs,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// How far a rule is tried where it is not decided for all ranks and sizes.
#[derive(Debug, Args)]
pub(crate) struct BoundArgs {
    /// Where it is not decided for all ranks, look at no more dims of a leaf [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) max_rank: Option<u64>,

    /// Where it is not decided for all sizes, look at none above this [default: 3]
    #[arg(long, value_name = "N")]
    pub(crate) max_dim: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct RuleCheckArgs {
    /// Files with rules
    #[arg(value_name = "FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Check this rule alone
    #[arg(long, value_name = "NAME")]
    pub(crate) rule: Vec<String>,

    /// The version of the operator set; the newest one unless given
    #[arg(long, value_name = "VERSION")]
    pub(crate) opset: Option<u64>,

    /// Print what each rule needs as a function of this language instead
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["set", "json"])]
    pub(crate) needs: Option<PredicateLanguage>,

    /// Compare the rules with each other instead: which undoes another, which matches its own result
    #[arg(long)]
    pub(crate) set: bool,

    /// Print what both sides cost, in sizes of the leaves, and which one is cheaper
    #[arg(long, conflicts_with_all = ["set", "needs"])]
    pub(crate) cost: bool,

    /// Judge rules by types alone: do not calculate whether both sides are the same numbers
    #[arg(long)]
    pub(crate) types_only: bool,

    /// Write both sides of each rule that has a counterexample as ONNX models to this folder: NAME.left.onnx and NAME.right.onnx
    #[arg(long, value_name = "DIR", conflicts_with_all = ["set", "needs"], value_hint = clap::ValueHint::DirPath)]
    pub(crate) write: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) bounds: BoundArgs,

    /// Print JSON, a line a rule
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RewriteArgs {
    /// An ONNX model
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: PathBuf,

    /// A file with rules
    #[arg(long, value_name = "FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) rules: Vec<PathBuf>,

    /// Write the model to this file
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) write: Option<PathBuf>,

    /// Say what would be done, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// A condition on the names of the model's dims that is to be taken for true: N != 1
    #[arg(long, value_name = "COND")]
    pub(crate) assume: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SimplifyArgs {
    /// An ONNX model
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: PathBuf,

    /// Write the model to this file
    #[arg(short, long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) output: Option<PathBuf>,

    /// Only what follows from this value: it is an input
    #[arg(long, value_name = "VALUE")]
    pub(crate) from: Vec<String>,

    /// Only what this value needs: it is an output
    #[arg(long, value_name = "VALUE")]
    pub(crate) to: Vec<String>,

    /// A file with rules, beside those that come with the program
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) rules: Vec<PathBuf>,

    /// Without the rules that come with the program
    #[arg(long)]
    pub(crate) no_rules: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// The types of the inputs, `?` for one that may be anything, and then that of the output
    #[arg(value_name = "TYPE", required = true, num_args = 2..)]
    pub(crate) types: Vec<String>,

    /// Chains of at most K operators
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) depth: usize,

    /// Only these operators, or those of these domains: Transpose, onnx::Reshape, onnx
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) ops: Vec<String>,

    /// Print what each answer costs, in sizes of the inputs, the cheapest first
    #[arg(long)]
    pub(crate) cost: bool,

    /// The version of the operator set; the newest one unless given
    #[arg(long, value_name = "VERSION")]
    pub(crate) opset: Option<u64>,

    /// Give at most N answers
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// A program in Relay's text format: its data types and functions can be used
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath, required_unless_present = "of")]
    pub(crate) file: Option<PathBuf>,

    /// The type of the programs: fn (f32[m, n]) -> f32[n, m], or as Relay writes it
    #[arg(long, value_name = "TYPE", required_unless_present = "fill")]
    pub(crate) of: Option<String>,

    /// Fill the gaps `_` of the file instead
    #[arg(long, conflicts_with = "of", requires = "file")]
    pub(crate) fill: bool,

    /// Programs of at most N calls, tuples, projections, functions, matches and constants
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) size: u32,

    /// Only these operators: transpose,nn.relu
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) ops: Vec<String>,

    /// Give at most N programs [default: 20, and with --fill 1]
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) models: ModelArgs,

    /// Show all values with their types
    #[arg(long)]
    pub(crate) values: bool,

    /// Show all nodes as a table: operator, attributes, inputs and outputs with their types
    #[arg(long)]
    pub(crate) nodes: bool,

    /// Show this value: its type, where it comes from and which nodes take it; `*` is any text
    #[arg(long, value_name = "NAME")]
    pub(crate) value: Vec<String>,

    /// Show this node, by its name or number: attributes, inputs, outputs, conditions; `*` is any text
    #[arg(long, value_name = "NAME")]
    pub(crate) node: Vec<String>,

    /// Show the nodes of this operator as a table; `*` is any text
    #[arg(long, value_name = "OPERATOR")]
    pub(crate) op: Vec<String>,

    /// Show one part and nothing else: errors, conditions or open
    #[arg(long, value_enum, value_name = "PART", hide_possible_values = true, conflicts_with_all = ["values", "nodes", "value", "node", "op"])]
    pub(crate) only: Option<Only>,

    /// Show nothing but errors and warnings
    #[arg(short, long, conflicts_with_all = ["values", "nodes", "value", "node", "op", "only", "json"])]
    pub(crate) quiet: bool,

    /// Show the memory that values take, the most at one time, and the multiplications that nodes do
    #[arg(long)]
    pub(crate) bytes: bool,

    /// Show who wrote the model, for which versions of operators, and which of these it has how often
    #[arg(long)]
    pub(crate) summary: bool,

    /// Show all conditions and all open sizes, and not only as many as fit on a screen
    #[arg(long)]
    pub(crate) all: bool,

    /// Compare the types that the model declares with those that are found
    #[arg(long)]
    pub(crate) declared: bool,

    /// Run the model with onnxruntime, at sizes that the conditions allow and at sizes just outside them, and report where a run
    /// differs from the prediction
    #[arg(long, conflicts_with_all = ["only", "outputs"])]
    pub(crate) run: bool,

    /// End with 1 where a dim that was declared free, or has a name, is fixed or bounded, and where a declared type
    /// can't be
    #[arg(long)]
    pub(crate) strict: bool,

    /// Write the model with the types of all of its values; several models into a folder
    #[arg(long, value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(crate) write: Option<PathBuf>,
}

/// ONNX models, and what is known of them beside what stands in them.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArgs {
    /// ONNX models
    #[arg(value_name = "MODEL", required = true, value_hint = clap::ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) facts: FactArgs,

    /// Print JSON, an object a model
    #[arg(long)]
    pub(crate) json: bool,

    /// How types are written in JSON: `text`, or `data`, objects of a dtype and a shape
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) types: TypesAs,
}

/// What is known of a model besides its contents.
#[derive(Clone, Debug, Args)]
pub(crate) struct FactArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,

    /// The type of an output, or of any value: what follows for the inputs?
    #[arg(short = 'o', long = "output", value_name = "NAME=TYPE")]
    pub(crate) outputs: Vec<String>,

    /// Take a value that a node makes, or a weight, as an input of this type
    #[arg(long = "cut", value_name = "VALUE=TYPE")]
    pub(crate) cuts: Vec<String>,
}

/// What is known of the inputs of a model besides its contents.
#[derive(Clone, Debug, Args)]
pub(crate) struct InputArgs {
    /// The type of an input, in place of the declared one: `x=f32[N,3,H,W]`, `x=?[N,3,H,W]` with the declared dtype
    #[arg(long = "input", value_name = "INPUT=TYPE")]
    pub(crate) inputs: Vec<String>,

    /// Names the first dim of the inputs, or gives its size: of the first input, and of those that begin with the same dim
    #[arg(long, value_name = "DIM")]
    pub(crate) batch: Option<String>,

    /// Names a dim of an input, or gives its size: `input:0=N`; `*:0=N` of all inputs that have it
    #[arg(long = "dim", value_name = "INPUT:AXIS=DIM")]
    pub(crate) dims: Vec<String>,

    /// The size that a name denotes
    #[arg(long = "set", value_name = "NAME=SIZE")]
    pub(crate) set: Vec<String>,

    /// No size is 0: neither of an input nor of a value between
    #[arg(long)]
    pub(crate) assume_nonempty: bool,

    /// Take what the model declares of outputs and of values between for true
    #[arg(long)]
    pub(crate) trust_annotations: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

/// What is other in a second model.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// An ONNX model
    #[arg(value_name = "A", value_hint = clap::ValueHint::FilePath)]
    pub(crate) first: PathBuf,

    /// Another one
    #[arg(value_name = "B", value_hint = clap::ValueHint::FilePath)]
    pub(crate) second: PathBuf,

    #[command(flatten)]
    pub(crate) facts: FactArgs,

    /// Show all nodes and values, and not only as many as fit on a screen
    #[arg(long, conflicts_with = "json")]
    pub(crate) all: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is known of a model, as a page.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// An ONNX model
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: PathBuf,

    /// The file that is written, rather than standard output
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) facts: InputArgs,

    /// The folder that `cargo xtask web` has built, in place of the site in this program
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,
}

/// The page in the browser.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// An ONNX model that the page opens
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: Option<PathBuf>,

    /// The port; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8400)]
    pub(crate) port: u16,

    /// The folder that `cargo xtask web` has built, in place of the site in this program
    #[arg(long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    pub(crate) site: Option<PathBuf>,
}

/// Where a size of a model's value comes from.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// An ONNX model
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub(crate) model: PathBuf,

    /// A value of it, and which of its dims; without that, all of them
    #[arg(value_name = "VALUE[:AXIS]", required = true)]
    pub(crate) spots: Vec<String>,

    #[command(flatten)]
    pub(crate) facts: FactArgs,

    /// Print JSON, an object a value
    #[arg(long)]
    pub(crate) json: bool,
}

/// Compare two types
///
/// A type is a set of values. A hole in it may be anything; a name is one unknown, the same in both
/// types, so that an answer can depend on it.
#[derive(Debug, Args)]
pub(crate) struct TypesArgs {
    #[command(subcommand)]
    pub(crate) command: TypesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TypesCommand {
    /// Is every value of B one of A?
    Super(PairArgs),
    /// Have both the same dtype, and the same dims known to be 1?
    SameClass(PairArgs),
    /// The type of what is a value of both
    Meet(PairArgs),
    /// The best type above both
    Join(PairArgs),
    /// Can B be used where A is required, and what has to be checked first?
    Filter(PairArgs),
}

/// Two types.
#[derive(Debug, Args)]
pub(crate) struct PairArgs {
    /// A type, such as `f32[n, 3] where n != 1`
    pub(crate) a: String,

    /// The other type; a name is the same unknown in both
    pub(crate) b: String,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// How types are written in JSON: `text`, or `data`, objects of a dtype and a shape
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) types: TypesAs,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// A signature, or the name of an operator in the catalog
    pub(crate) signature: String,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogArgs {
    /// The operator to show, or the domain whose operators are listed; without it, all are listed
    pub(crate) name: Option<String>,

    /// Solve the examples of operators in every direction, and say what fails
    #[arg(long, conflicts_with = "json")]
    pub(crate) check: bool,

    /// The version of the operator set; the newest one unless given
    #[arg(long, value_name = "VERSION")]
    pub(crate) opset: Option<u64>,

    /// Print JSON, an object a line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReplArgs {
    /// The signature to begin with, or the name of an operator in a catalog
    pub(crate) signature: Option<String>,

    #[command(flatten)]
    pub(crate) load: LoadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, such as K0101; without it, all are listed
    pub(crate) code: Option<String>,

    /// Print JSON, an object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

fn promotion(text: &str) -> Result<Promotion, String> {
    text.parse().map_err(|d: kanshape::Diagnostic| {
        let help = d.help.last().map(|h| format!(": {h}"));
        format!("{}{}", d.headline, help.unwrap_or_default())
    })
}
