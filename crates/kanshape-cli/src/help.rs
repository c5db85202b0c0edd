//! What stands below the options in `--help`. Every `$` line in it is run by the tests.

pub(crate) const MAIN: &str = "\
Forwards:
  $ kanshape infer '(m,n),(n,p)->(m,p)' 'f32[2,3]' 'f32[3,4]'
  f32[2, 4]
Backwards:
  $ kanshape infer '(m,n),(n,p)->(m,p)' 'f32[2,n]' '?' --output 'f32[2,4]'
  f32[n, 4]
An operator of ONNX, whose stride is queried:
  $ kanshape infer onnx::Conv 'f32[1,3,224,224]' 'f32[64,3,7,7]' -o 'f32[1,64,73,73]' -a 'strides=?'
  strides = [3, 3]

Exit codes: 0 solved, 1 no solution, 2 a text or a file is wrong, 3 the budget ran out.";

pub(crate) const INFER: &str = "\
What is printed is what was not given: inputs and outputs that are `?`, left out, or have a `?`
or `...` in their shape, and parameters queried with `=?`. One answer a line.

Which second input gives this output?
  $ kanshape infer '(m,n),(n,p)->(m,p)' 'f32[2,n]' '?' --output 'f32[2,4]'
  f32[n, 4]
What do these broadcast to?
  $ kanshape infer '+(),()->()' '?[8,1,6,1]' '?[7,1,5]'
  ?[8, 7, 6, 5]
Which stride was it?
  $ kanshape infer '[s] (h),(k)->((h - k)//s + 1)' 'f32[9]' 'f32[3]' --output 'f32[4]' --param 's=?'
  s = 2
On which condition does it fit?
  $ kanshape infer '+(),()->()' 'f32[n]' 'f32[3]'
  f32[3] where n in {1, 3}
An operator is named where a signature is. Its attributes are given as they are written in rules;
`-` is an operand that is left out, and a type can say what is in the tensor.
  $ kanshape infer onnx::Split 'f32[7,n]' --attr num_outputs=3
  output 0: f32[3, n]; output 1: f32[3, n]; output 2: f32[1, n]
  $ kanshape infer onnx::Resize 'f32[1,3,8,8]' - - 'i64[4] = [1, 3, 12, 2*n]'
  f32[1, 3, 12, 2*n]
Without --output, the outputs that every call has are shown; with some, as many as are given.

Exit codes: 0 solved, 1 no solution, 2 a text is wrong, 3 the budget ran out.";

pub(crate) const ENUM: &str = "\
Every size and rank is a number, and each combination comes once. Dtypes stay as they are known.

What can be added to give two dims of 2 and 3, one of the two being a vector?
  $ kanshape enum '+(),()->()' 'f32[?]' '?' --output 'f32[2,3]'
  input 0: f32[1]; input 1: f32[2, 3]
  input 0: f32[3]; input 1: f32[2, 1]
  input 0: f32[3]; input 1: f32[2, 3]
How many pairs of rank 4 or less are there?
  $ kanshape enum '+(),()->()' --output '?[8,7,6,5]' --max-rank 4 --count
  161

Without --max-dim, sizes have no bound; small ones come first.";

pub(crate) const BATCH: &str = "\
A line in is a query, an object of which only `signature`, `op` or `graph` must be there:
  {\"id\", \"signature\", \"inputs\": [TYPE or null, ...], \"outputs\": [TYPE or null, ...],
   \"params\": {NAME: SIZE}, \"where\": [COND, ...], \"limit\", \"max_rank\", \"max_dim\", \"plain_sizes\",
   \"notation\", \"promotion\", \"budget\", \"timeout\"}
A line out, written in the order of the lines in, is
  {\"id\", \"line\": NUMBER, \"verdict\", \"answers\": [{\"inputs\", \"outputs\", \"params\", \"where\"}, ...],
   \"complete\", \"error\": null or {\"code\", \"message\", \"at\"}}

  $ echo '{\"id\":1,\"signature\":\"(n),(n)->()\",\"inputs\":[\"f32[3]\",null]}' | kanshape batch
  {\"id\":1,\"line\":1,\"verdict\":\"always\",\"answers\":[{\"inputs\":[\"f32[3]\",\"f32[3]\"],\"outputs\":[\"f32[]\"],\
\"params\":{},\"where\":[]}],\"complete\":true,\"error\":null}

A line about an operator has `op` in place of `signature`, and `attrs` in place of `params`:
  {\"id\", \"op\": NAME, \"opset\": VERSION, \"attrs\": {NAME: VALUE or null}, \"inputs\": [...], ...}

  $ echo '{\"id\":2,\"op\":\"onnx::ArgMax\",\"inputs\":[\"f32[n]\"],\"attrs\":{\"keepdims\":0}}' | kanshape batch
  {\"id\":2,\"line\":1,\"verdict\":\"always\",\"answers\":[{\"inputs\":[\"f32[n]\"],\"outputs\":[\"i64[]\"],\
\"where\":[]}],\"complete\":true,\"error\":null}

A line about a graph has `graph` in place of these, and its line out is that of `kanshape check --json`:
  {\"id\", \"graph\": {\"inputs\": {NAME: TYPE}, \"nodes\": [{\"op\", \"attrs\", \"inputs\": [NAME or null],
   \"outputs\": [NAME or null], \"name\"}], \"outputs\": [NAME]}, \"opset\", \"where\", \"given\": {NAME: TYPE}}

Without `limit`, at most 1000 answers are given, or all within the budget if `max_dim` is there.

A line can have a question about two types instead, as `kanshape types` has:
  {\"id\", \"types\": \"super\" or \"same_class\" or \"meet\" or \"join\" or \"filter\", \"a\": TYPE, \"b\": TYPE}

  $ echo '{\"id\":3,\"types\":\"meet\",\"a\":\"f32[?,3]\",\"b\":\"f32[2,?]\"}' | kanshape batch
  {\"id\":3,\"line\":1,\"result\":{\"type\":\"f32[2, 3]\"}}

A bad line has its `error` in its own line out. Exit codes: 0, or 2 if a file can't be read.";

pub(crate) const TYPES: &str = "\
Is every value of the second type one of the first?
  $ kanshape types super 'f32[?, 3]' 'f32[2, 3]'
  true
  $ kanshape types super 'f32[n, n]' 'f32[3, m]'
  depends
What is known if both hold, and what if one of them does?
  $ kanshape types meet 'f32[?, 3]' 'f32[2, ?]'
  f32[2, 3]
  $ kanshape types join 'f32[2, 3]' 'f32[4, 3]'
  f32[?, 3]
Can the second stand where the first is required? Its type then, and what has to be checked:
  $ kanshape types filter 'f32[2, n]' 'f32[?, ...]'
  f32[2, n]
  the rank is 2
  dim 0 is 2
  dim 1 is n

Exit codes: 0 true, depends, or there is a type; 1 false, or there is none; 2 a text is wrong;
3 unknown: the question is beyond the solver.";

pub(crate) const RULE: &str = "\
A rule is two terms of operators, and what has to hold of its leaves. Types and values are checked.

  $ cat gemm.kan
  rule gemm: Add(MatMul(A, B), C) => Gemm(A, B, C)
  $ kanshape rule check gemm.kan
  $ kanshape rule check --set gemm.kan

Exit codes: 0 all hold always, 1 one does not, 2 a text or a file is wrong, 3 it is not known.";

pub(crate) const SIMPLIFY: &str = "\
Values of which all is known become tensors of the model, a branch of which it is known that it is run replaces its `If`, \
and nodes that nothing needs are left out; rules are applied, those that come with the program and those of --rules; \
and so on until nothing changes. Sizes that have a name stay open. The outputs of the model keep their types. With --from \
and --to, which may be repeated, it is only the part of the model between these values.

  kanshape simplify model.onnx -o out.onnx
  kanshape simplify model.onnx --from features --to logits -o part.onnx

Exit codes: 0 done, 2 a text or a file is wrong.";

pub(crate) const REWRITE: &str = "\
A rule is applied where its left side matches the model, and its goals and types hold for all sizes there. Where they \
hold under a condition, that is printed, and `--assume` makes it a fact, which is written into the model. The outputs of \
the model keep their types. Types are checked, values are not: `kanshape rule check` calculates them.

  kanshape rewrite model.onnx --rules mine.kan --write out.onnx
  kanshape rewrite model.onnx --rules mine.kan --dry-run --assume 'N != 1'

Exit codes: 0 done, 1 rules go round, 2 a text or a file is wrong.";

pub(crate) const FIND: &str = "\
The last type is the output. What is printed gives it whatever the names denote: the operator with the attributes \
that it needs, and with its operands where there are more than the inputs, of which `x0` is the first.

  $ kanshape find 'f32[N,3,H,W]' 'f32[N,H,W,3]' --ops Transpose
  onnx::Transpose[perm = [0, 2, 3, 1]]

Exit codes: 0 found, 1 there is none, 2 a text or a file is wrong, 3 something was cut off.";

pub(crate) const PROGRAM: &str = "\
The smaller programs come first. What is printed has the type for all sizes of the names in it, and `kanshape check` says so.

  $ kanshape program --of 'fn (f32[m, n]) -> f32[n, m]' --size 1
  def @main(%x0: Tensor[(m, n), float32]) -> Tensor[(n, m), float32] {
    transpose(%x0)
  }

Exit codes: 0 found, 1 there is none, 2 a text or a file is wrong, 3 something was cut off.";

pub(crate) const PARSE: &str = "\
The canonical form comes first, then the operands, then the names and where they stand.

  $ kanshape parse '( m, n ), ( n, p ) -> ( m, p )'
  (m,n),(n,p)->(m,p)

  input 0  (m,n)  2 dims
  input 1  (n,p)  2 dims
  output   (m,p)  2 dims

  m  size  input 0, output
  n  size  input 0, input 1
  p  size  input 1, output

  All operands share one dtype.";

pub(crate) const CATALOG: &str = "\
A signature is shown with where it is from, an operator with its rule and its versions, and both with \
examples that are answered now. The name of a domain, such as onnx, lists its operators.

  $ kanshape catalog
  $ kanshape catalog matmul
  $ kanshape catalog onnx
  $ kanshape catalog onnx::Gather
  $ kanshape catalog --check onnx::Relu
  1 operator, 2 examples, 4 questions: all hold
With --check the examples of operators are solved in every direction: of all, of one, of a domain, or of \
those in the files of --load. It ends with 1 if one fails.
The names stand for the signatures wherever a signature is expected:
  $ kanshape infer matmul 'f32[2,3]' 'f32[3,4]'
  f32[2, 4]";

pub(crate) const REPL: &str = "\
A signature is what the questions after it are about. A question is `INPUTS -> OUTPUTS`, or the
inputs alone. `:help` says more.

  $ printf '%s\\n' '(m,n),(n,p)->(m,p)' 'f32[2,n], ? -> f32[2,4]' | kanshape repl
  (m,n),(n,p)->(m,p)
  f32[n, 4]";

pub(crate) const EXPLAIN: &str = "\
The page of a code says what it means, shows it, and how to mend it. A code keeps its meaning for good.

  $ kanshape explain K0021 | head -n 1
  # K0021: more than one `...` among the dims of one operand or type
Without a code, all are listed, a line each.";

pub(crate) const COMPLETIONS: &str = "\
For bash, in ~/.bashrc:  source <(kanshape completions bash)
For fish:                kanshape completions fish > ~/.config/fish/completions/kanshape.fish";

pub(crate) const CHECK: &str = "\
Shown are a summary, the inputs and outputs, the conditions under which the model holds, each with the node that \
requires it, and what is wrong. A name is the same size in the whole model.

Name a dim of an input, and the types are in that name:
  kanshape check model.onnx --dim input:0=N
Given an output: what are the inputs?
  kanshape check model.onnx --dim input:0=N --output 'logits=f32[8,1000]'
All values with their types, all nodes, or some of them:
  kanshape check model.onnx --values
  kanshape check model.onnx --nodes
  kanshape check model.onnx --op Conv --value 'encoder/*' --node 35
The conditions and nothing else:
  kanshape check model.onnx --only conditions
Does it work for every batch size and height that it declares?
  kanshape check model.onnx --strict
The model with the types of all of its values, for other tools to read:
  kanshape check model.onnx --dim input:0=N --write typed.onnx
Many models, a line of JSON each:
  kanshape check *.onnx --json

Exit codes: 0 all hold, 1 one of them can't, 2 a text or a file is wrong, 3 it is not known,
4 it is not known for want of operators alone that are not loaded.";

pub(crate) const SIGNATURE: &str = "\
The principal type of the whole model, with its conditions:
  kanshape signature model.onnx --dim input:0=N
  f32[N, 3, 224, 224] -> f32[N, 1000]";

pub(crate) const WHY: &str = "\
A size is followed back through the nodes that hand it on or compute it, to the inputs it is made of. A value alone \
means all of its dims; `x:1` is dim 1, `x:-1` the last one, and `shape[0]` in the answer an element of a tensor.

  kanshape why model.onnx logits:1

Exit codes: 0 answered, 2 a text or a file is wrong, or the model has no such value.";

pub(crate) const REPORT: &str = "\
The file has all in it that it needs, and opens in a browser without a server: signature, conditions, problems, the graph, the nodes \
with their types, bytes and multiplications.

  kanshape report model.onnx -o report.html

Exit codes: 0 typed, 1 it can't be, 2 a text or a file is wrong, 3 unknown.";

pub(crate) const SERVE: &str = "\
Prints the address, and serves until it is stopped. Nothing but this machine can reach it, and the page contacts no other.

  kanshape serve model.onnx";

pub(crate) const DIFF: &str = "\
Nodes are the same if they give a value of the same name, or have the same name. Behind `-` stands what the first \
model has, behind `+` what the second one has. A name that nobody has given, such as d0, may be another one.

  kanshape diff a.onnx b.onnx --dim input:0=N

Exit codes: 0 nothing is other, 1 something is, 2 a text or a file is wrong.";
