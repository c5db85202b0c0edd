//! What stands below the options in `--help`. Every `$` line in it is run by the tests.

pub(crate) const MAIN: &str = "\
Forwards:
  $ kanshape infer '(m,n),(n,p)->(m,p)' 'f32[2,3]' 'f32[3,4]'
  f32[2, 4]
Backwards:
  $ kanshape infer '(m,n),(n,p)->(m,p)' 'f32[2,n]' '?' --output 'f32[2,4]'
  f32[n, 4]

Exit codes: 0 solved, 1 no solution, 2 a text or a file is wrong, 3 the budget ran out.";

pub(crate) const INFER: &str = "\
What is printed is what was not given: inputs and outputs that are `?`, left out, or have a `?`
or `...` in their shape, and parameters asked for with `=?`. One answer a line.

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
A line in is a query, an object of which only `signature` must be there:
  {\"id\", \"signature\", \"inputs\": [TYPE or null, ...], \"outputs\": [TYPE or null, ...],
   \"params\": {NAME: SIZE}, \"where\": [COND, ...], \"limit\", \"max_rank\", \"max_dim\", \"plain_sizes\",
   \"promotion\", \"budget\"}
A line out is
  {\"id\", \"verdict\", \"answers\": [{\"inputs\", \"outputs\", \"params\", \"where\"}, ...],
   \"complete\", \"error\": null or {\"code\", \"message\", \"at\"}}

  $ echo '{\"id\":1,\"signature\":\"(n),(n)->()\",\"inputs\":[\"f32[3]\",null]}' | kanshape batch
  {\"id\":1,\"verdict\":\"always\",\"answers\":[{\"inputs\":[\"f32[3]\",\"f32[3]\"],\"outputs\":[\"f32[]\"],\
\"params\":{},\"where\":[]}],\"complete\":true,\"error\":null}

Without `limit`, at most 1000 answers are given, or all within the budget if `max_dim` is there.

A line can ask about two types instead, as `kanshape types` does:
  {\"id\", \"types\": \"super\" or \"same_class\" or \"meet\" or \"join\" or \"filter\", \"a\": TYPE, \"b\": TYPE}

  $ echo '{\"id\":2,\"types\":\"meet\",\"a\":\"f32[?,3]\",\"b\":\"f32[2,?]\"}' | kanshape batch
  {\"id\":2,\"result\":{\"type\":\"f32[2, 3]\"}}

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
Can the second stand where the first is asked for? Its type then, and what has to be checked:
  $ kanshape types filter 'f32[2, n]' 'f32[?, ...]'
  f32[2, n]
  the rank is 2
  dim 0 is 2
  dim 1 is n

Exit codes: 0 true, depends, or there is a type; 1 false, or there is none; 2 a text is wrong;
3 unknown: the question is beyond the solver.";

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
An operator is shown with its signature, where it is from, and examples that are answered now.

  $ kanshape catalog
  $ kanshape catalog matmul
The names stand for the signatures wherever a signature is asked for:
  $ kanshape infer matmul 'f32[2,3]' 'f32[3,4]'
  f32[2, 4]";

pub(crate) const REPL: &str = "\
A signature is what the questions after it are about. A question is `INPUTS -> OUTPUTS`, or the
inputs alone. `:help` says more.

  $ printf '%s\\n' '(m,n),(n,p)->(m,p)' 'f32[2,n], ? -> f32[2,4]' | kanshape repl
  (m,n),(n,p)->(m,p)
  f32[n, 4]";

pub(crate) const EXPLAIN: &str = "\
A code keeps its meaning for good.

  $ kanshape explain K0021
  K0021: more than one `...` among the dims of one operand or type";

pub(crate) const COMPLETIONS: &str = "\
For bash, in ~/.bashrc:  source <(kanshape completions bash)
For fish:                kanshape completions fish > ~/.config/fish/completions/kanshape.fish";
