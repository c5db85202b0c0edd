//! Generated from `grammar/stablehlo_words.rs` by `cargo xtask parsers`.

use logos::Lexer;
/// What a word is.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
match lexer.slice() {
"applies" => Token::Applies,
name @ ("return" | "func.return" | "stablehlo.return") => Token::Return(name),
"to" => Token::To,
name @ ("module" | "builtin.module") => Token::Module(name),
name @ ("call" | "call_indirect") => Token::Name(name),
name @ "func.func" => Token::Function(name),
name if name.contains('.') => Token::Name(name),
word => Token::Word(word),
}
}
/// A label has a colon behind it, or behind its parameters.
fn block<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
let (rest, name) = (lexer.remainder(), lexer.slice());
let behind = match rest.strip_prefix('(') {
Some(params) => end_of(params, b'(', b')').and_then(|end| params.get(end..)),
None => Some(rest),
};
match behind.is_some_and(|text| text.trim_start().starts_with(':')) {
true => Token::Block(name),
false => Token::Successor(name),
}
}
/// Reads on to the `>` that closes the `<` which has been read. What is between may be long, and is not looked at.
fn angled<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<&'input str, ()> {
enclosed(lexer, b'<', b'>')
}
/// The same of parentheses.
fn parenthesized<'input>(
lexer: &mut Lexer<'input, Token<'input>>,
) -> Result<&'input str, ()> {
enclosed(lexer, b'(', b')')
}
fn enclosed<'input>(
lexer: &mut Lexer<'input, Token<'input>>,
open: u8,
close: u8,
) -> Result<&'input str, ()> {
let at = end_of(lexer.remainder(), open, close).ok_or(())?;
if !lexer.remainder().is_char_boundary(at) {
return Err(());
}
lexer.bump(at);
Ok(lexer.slice())
}
/// Behind what closes a bracket that has been opened before the text. Texts in quotes and comments are passed over.
fn end_of(text: &str, open: u8, close: u8) -> Option<usize> {
let rest = text.as_bytes();
let (mut depth, mut at, mut is_text) = (1_usize, 0_usize, false);
while depth > 0 {
let byte = *rest.get(at)?;
match byte {
b'\\' if is_text => at += 1,
b'"' => is_text = !is_text,
_ if is_text => {}
b'-' if rest.get(at + 1) == Some(&b'>') => at += 1,
b'/' if rest.get(at + 1) == Some(&b'/') => {
at += rest[at..].iter().position(|byte| *byte == b'\n')?;
}
_ if byte == open => depth += 1,
_ if byte == close => depth -= 1,
_ => {}
}
at += 1;
}
Some(at)
}
/// A word of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'input> {
/// What an operation, an attribute or a keyword is called. `word` says which it is, so that nobody meets this one.
Any,
/// A word without a dot.
Word(&'input str),
/// The name of an operation.
Name(&'input str),
Return(&'input str),
/// The operation that is a function, which may have no body.
Function(&'input str),
/// The operation that has functions in it.
Module(&'input str),
/// The name of an operation follows that is applied.
Applies,
/// The type follows that another one becomes.
To,
Value(&'input str),
Symbol(&'input str),
/// A block. `block` says which it is, so that nobody meets this one.
AnyBlock,
/// The label of a block.
Block(&'input str),
/// A block that an operation goes on to.
Successor(&'input str),
Text(&'input str),
Number(&'input str),
Tensor(&'input str),
Dense(&'input str),
Array(&'input str),
/// A type that is no tensor's.
Type(&'input str),
/// An attribute that is written as its dialect does.
Attribute(&'input str),
/// Where something comes from.
Location(&'input str),
LeftParen,
RightParen,
LeftBracket,
RightBracket,
LeftBrace,
RightBrace,
LeftProperties,
RightProperties,
Arrow,
Comma,
Colon,
Colons,
Equals,
Question,
Star,
OnlyModule,
OnlyTypes,
OnlyEntries,
OnlyPieces,
}
impl<'s> ::logos::Logos<'s> for Token<'s> {
type Error = ();
type Extras = ();
type Source = str;
fn lex(
lex: &mut ::logos::Lexer<'s, Self>,
) -> core::option::Option<
core::result::Result<Self, <Self as ::logos::Logos<'s>>::Error>,
> {
use ::logos::internal::{
LexerInternal, CallbackRetVal, CallbackResult, SkipRetVal, SkipResult,
};
use core::result::Result as _Result;
use core::option::Option as _Option;
use ::logos::Logos;
type _Lexer<'s> = ::logos::Lexer<'s, Token<'s>>;
macro_rules! _fast_loop {
($lex:ident, $test:ident, $offset:ident) => {
'fast_loop : { while let Some(arr) = $lex .read:: < & [u8; 8usize] >
($offset) { if $test (arr[0usize]) { $offset += 0usize; break 'fast_loop;
} if $test (arr[1usize]) { $offset += 1usize; break 'fast_loop; } if
$test (arr[2usize]) { $offset += 2usize; break 'fast_loop; } if $test
(arr[3usize]) { $offset += 3usize; break 'fast_loop; } if $test
(arr[4usize]) { $offset += 4usize; break 'fast_loop; } if $test
(arr[5usize]) { $offset += 5usize; break 'fast_loop; } if $test
(arr[6usize]) { $offset += 6usize; break 'fast_loop; } if $test
(arr[7usize]) { $offset += 7usize; break 'fast_loop; } $offset += 8usize;
} while let Some(byte) = $lex .read:: < u8 > ($offset) { if $test (byte)
{ break 'fast_loop; } $offset += 1; } }
};
}
macro_rules! _take_action {
($lex:ident, $offset:ident, $context:ident, $state:ident) => {
{ let action = _get_action($lex, $offset, $context); match action {
CallbackResult::Emit(tok) => { return Some(Ok(tok)); },
CallbackResult::Skip => { $lex .trivia(); $offset = $lex .offset();
$context = None; $state = LogosState::State95; continue; },
CallbackResult::Error(err) => { return Some(Err(err)); },
CallbackResult::DefaultError => { return Some(Err(_make_error($lex))); },
} }
};
}
const _TABLE_0: [u8; 256] = [
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 255u8, 0u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 255u8, 255u8, 253u8, 255u8, 255u8, 255u8,
255u8, 255u8, 255u8, 255u8, 255u8, 127u8, 255u8, 223u8, 247u8, 191u8, 255u8,
239u8, 255u8, 251u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
];
const _TABLE_1: [u8; 256] = [
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 255u8, 0u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8, 255u8,
0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 251u8, 255u8, 255u8, 239u8, 254u8, 255u8,
255u8, 255u8, 247u8, 255u8, 255u8, 255u8, 127u8, 255u8, 255u8, 255u8, 223u8,
255u8, 253u8, 255u8, 191u8, 255u8, 255u8, 255u8, 255u8, 255u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
];
const _TABLE_2: [u8; 256] = [
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 31u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 64u8, 0u8,
80u8, 31u8, 0u8, 191u8, 191u8, 191u8, 191u8, 191u8, 191u8, 191u8, 191u8,
191u8, 191u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 159u8, 159u8, 159u8, 159u8,
159u8, 159u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8,
31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 0u8, 0u8, 0u8,
0u8, 23u8, 0u8, 159u8, 159u8, 159u8, 159u8, 159u8, 158u8, 31u8, 31u8, 31u8,
31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8, 31u8,
31u8, 29u8, 27u8, 31u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8,
];
const _TABLE_3: [u8; 256] = [
9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 11u8, 2u8, 11u8, 11u8, 3u8, 9u8,
9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8,
9u8, 9u8, 11u8, 9u8, 1u8, 9u8, 41u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8,
9u8, 41u8, 9u8, 25u8, 25u8, 25u8, 25u8, 25u8, 25u8, 25u8, 25u8, 25u8, 25u8,
9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8,
61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8,
61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 9u8, 1u8, 9u8, 9u8, 61u8, 9u8, 61u8,
61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8,
61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 61u8, 9u8,
9u8, 9u8, 9u8, 9u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
];
#[inline]
fn _make_error<'s>(lex: &mut _Lexer<'s>) -> <Token<'s> as Logos<'s>>::Error {
<Token<'s> as Logos<'s>>::Error::default()
}
#[inline]
fn _get_action<'s>(
lex: &mut _Lexer<'s>,
offset: usize,
context: _Option<LogosLeaf>,
) -> CallbackResult<'s, Token<'s>> {
match context {
None => {
lex.end_to_boundary(offset.max(lex.offset() + 1));
CallbackResult::Error(_make_error(lex))
}
Some(LogosLeaf::Leaf0) => CallbackResult::Skip,
Some(LogosLeaf::Leaf1) => CallbackResult::Skip,
Some(LogosLeaf::Leaf2) => {
let cb_result = word(lex);
CallbackRetVal::<
's,
(),
Token<'s>,
>::construct(cb_result, |()| Token::Any)
}
Some(LogosLeaf::Leaf3) => {
let token = Token::Value(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf4) => {
let token = Token::Symbol(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf5) => {
let cb_result = block(lex);
CallbackRetVal::<
's,
(),
Token<'s>,
>::construct(cb_result, |()| Token::AnyBlock)
}
Some(LogosLeaf::Leaf6) => {
let token = Token::Text(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf7) => {
let token = Token::Number(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf8) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Tensor)
}
Some(LogosLeaf::Leaf9) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Dense)
}
Some(LogosLeaf::Leaf10) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Array)
}
Some(LogosLeaf::Leaf11) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Type)
}
Some(LogosLeaf::Leaf12) => {
let token = Token::Type(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf13) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Type)
}
Some(LogosLeaf::Leaf14) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Attribute)
}
Some(LogosLeaf::Leaf15) => {
let token = Token::Attribute(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf16) => {
let cb_result = angled(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Attribute)
}
Some(LogosLeaf::Leaf17) => {
let cb_result = parenthesized(lex);
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Location)
}
Some(LogosLeaf::Leaf18) => CallbackResult::Emit(Token::LeftParen),
Some(LogosLeaf::Leaf19) => CallbackResult::Emit(Token::RightParen),
Some(LogosLeaf::Leaf20) => CallbackResult::Emit(Token::LeftBracket),
Some(LogosLeaf::Leaf21) => CallbackResult::Emit(Token::RightBracket),
Some(LogosLeaf::Leaf22) => CallbackResult::Emit(Token::LeftBrace),
Some(LogosLeaf::Leaf23) => CallbackResult::Emit(Token::RightBrace),
Some(LogosLeaf::Leaf24) => CallbackResult::Emit(Token::LeftProperties),
Some(LogosLeaf::Leaf25) => CallbackResult::Emit(Token::RightProperties),
Some(LogosLeaf::Leaf26) => CallbackResult::Emit(Token::Arrow),
Some(LogosLeaf::Leaf27) => CallbackResult::Emit(Token::Comma),
Some(LogosLeaf::Leaf28) => CallbackResult::Emit(Token::Colon),
Some(LogosLeaf::Leaf29) => CallbackResult::Emit(Token::Colons),
Some(LogosLeaf::Leaf30) => CallbackResult::Emit(Token::Equals),
Some(LogosLeaf::Leaf31) => CallbackResult::Emit(Token::Question),
Some(LogosLeaf::Leaf32) => CallbackResult::Emit(Token::Star),
}
}
#[derive(Clone, Copy)]
enum LogosLeaf {
Leaf0 = 0isize,
Leaf1 = 1isize,
Leaf2 = 2isize,
Leaf3 = 3isize,
Leaf4 = 4isize,
Leaf5 = 5isize,
Leaf6 = 6isize,
Leaf7 = 7isize,
Leaf8 = 8isize,
Leaf9 = 9isize,
Leaf10 = 10isize,
Leaf11 = 11isize,
Leaf12 = 12isize,
Leaf13 = 13isize,
Leaf14 = 14isize,
Leaf15 = 15isize,
Leaf16 = 16isize,
Leaf17 = 17isize,
Leaf18 = 18isize,
Leaf19 = 19isize,
Leaf20 = 20isize,
Leaf21 = 21isize,
Leaf22 = 22isize,
Leaf23 = 23isize,
Leaf24 = 24isize,
Leaf25 = 25isize,
Leaf26 = 26isize,
Leaf27 = 27isize,
Leaf28 = 28isize,
Leaf29 = 29isize,
Leaf30 = 30isize,
Leaf31 = 31isize,
Leaf32 = 32isize,
}
#[derive(Clone, Copy)]
enum LogosState {
State0,
State1,
State10,
State100,
State101,
State102,
State103,
State104,
State105,
State106,
State107,
State108,
State109,
State11,
State110,
State111,
State112,
State113,
State114,
State115,
State116,
State117,
State118,
State119,
State12,
State120,
State121,
State122,
State123,
State124,
State125,
State126,
State127,
State128,
State129,
State13,
State130,
State131,
State132,
State133,
State134,
State135,
State136,
State137,
State138,
State139,
State14,
State140,
State141,
State142,
State143,
State144,
State145,
State146,
State15,
State16,
State17,
State18,
State19,
State2,
State20,
State21,
State22,
State23,
State24,
State25,
State26,
State27,
State28,
State29,
State3,
State30,
State31,
State32,
State33,
State34,
State35,
State36,
State37,
State38,
State39,
State4,
State40,
State41,
State42,
State43,
State44,
State45,
State46,
State47,
State48,
State49,
State5,
State50,
State51,
State52,
State53,
State54,
State55,
State56,
State57,
State58,
State59,
State6,
State60,
State61,
State62,
State63,
State64,
State65,
State66,
State67,
State68,
State69,
State7,
State70,
State71,
State72,
State73,
State74,
State75,
State76,
State77,
State78,
State79,
State8,
State80,
State81,
State82,
State83,
State84,
State85,
State86,
State87,
State88,
State89,
State9,
State90,
State91,
State92,
State93,
State94,
State95,
State96,
State97,
State98,
State99,
}
let mut state = LogosState::State95;
let mut offset = lex.offset();
let mut context: _Option<LogosLeaf> = None;
loop {
match state {
LogosState::State0 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf25);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State1 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State2 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'c') {
offset += 1;
state = LogosState::State3;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State3 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b't') {
offset += 1;
state = LogosState::State4;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State4 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'o') {
offset += 1;
state = LogosState::State5;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State5 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State6;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State6 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'<') {
offset += 1;
state = LogosState::State7;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State7 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf11);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State8 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 32u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'n') {
offset += 1;
state = LogosState::State12;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State9 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'p') {
offset += 1;
state = LogosState::State10;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State10 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 128u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'l') {
offset += 1;
state = LogosState::State11;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State11 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State6;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State12 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b's') {
offset += 1;
state = LogosState::State13;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State13 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'o') {
offset += 1;
state = LogosState::State14;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State14 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State15;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State15 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'<') {
offset += 1;
state = LogosState::State16;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State16 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf8);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State17 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'a') {
offset += 1;
state = LogosState::State25;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State18 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State19;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State19 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'i') {
offset += 1;
state = LogosState::State20;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State20 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'd') {
offset += 1;
state = LogosState::State21;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State21 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State22;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State22 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'd') {
offset += 1;
state = LogosState::State23;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State23 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'<') {
offset += 1;
state = LogosState::State24;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State24 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf16);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State25 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State26;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State26 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b's') {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State27 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State23;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State28 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'a') {
offset += 1;
state = LogosState::State29;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State29 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 32u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'q') {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State30 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'u') {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State31 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 128u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'm') {
offset += 1;
state = LogosState::State32;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State32 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State33;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State33 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State34;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State34 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'f') {
offset += 1;
state = LogosState::State6;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State35 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'c') {
offset += 1;
state = LogosState::State36;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State36 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'(') {
offset += 1;
state = LogosState::State37;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State37 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf17);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State38 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 32u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'n') {
offset += 1;
state = LogosState::State39;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State39 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b's') {
offset += 1;
state = LogosState::State40;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State40 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State41;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State41 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
Some(LogosState::State42),
None,
None,
None,
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
Some(LogosState::State43),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State42 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf9);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State43 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State44;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State44 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State45;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State45 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b's') {
offset += 1;
state = LogosState::State46;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State46 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'o') {
offset += 1;
state = LogosState::State47;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State47 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'u') {
offset += 1;
state = LogosState::State48;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State48 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State49;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State49 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'c') {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State50 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 128u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'm') {
offset += 1;
state = LogosState::State51;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State51 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'p') {
offset += 1;
state = LogosState::State52;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State52 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 128u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'l') {
offset += 1;
state = LogosState::State53;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State53 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State54;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State54 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'x') {
offset += 1;
state = LogosState::State6;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State55 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'f') {
offset += 1;
state = LogosState::State61;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State56 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'r') {
offset += 1;
state = LogosState::State57;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State57 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'a') {
offset += 1;
state = LogosState::State58;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State58 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'y') {
offset += 1;
state = LogosState::State59;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State59 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'<') {
offset += 1;
state = LogosState::State60;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State60 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf10);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State61 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'i') {
offset += 1;
state = LogosState::State62;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State62 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 32u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'n') {
offset += 1;
state = LogosState::State63;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State63 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State64;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State64 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'_') {
offset += 1;
state = LogosState::State65;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State65 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State66),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State67),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State66 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'a') {
offset += 1;
state = LogosState::State69;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State67 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State68;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State68 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b't') {
offset += 1;
state = LogosState::State23;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State69 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'p') {
offset += 1;
state = LogosState::State23;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State70 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf5);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State71 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 16u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf4);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State72 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf24);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State73 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf29);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State74 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 32u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'E') || (byte == b'e') {
offset += 1;
state = LogosState::State76;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State75 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 32u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State74;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State76 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State77;
continue;
}
if _TABLE_2[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State115;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State77 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 32u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State78 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_2[byte as usize] & 128u8 != 0 {
offset += 1;
state = LogosState::State79;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State79 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 128u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State80 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_3[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf1);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State81),
Some(LogosState::State82),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State84),
Some(LogosState::State83),
Some(LogosState::State83),
Some(LogosState::State85),
Some(LogosState::State86),
Some(LogosState::State86),
Some(LogosState::State86),
Some(LogosState::State87),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State81 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State80;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State82 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State81;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State83 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State81;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State84 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State81;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State85 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State83;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State86 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State83;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State87 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State83;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State88 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State90;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State89 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'#') {
offset += 1;
state = LogosState::State88;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State90 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_2[byte as usize] & 32u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State91 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf15);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'<') {
offset += 1;
state = LogosState::State24;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State92 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf12);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'<') {
offset += 1;
state = LogosState::State93;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State93 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf13);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State94 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_3[byte as usize] & 2u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf0);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State95 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State94),
Some(LogosState::State94),
Some(LogosState::State94),
Some(LogosState::State94),
Some(LogosState::State94),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State94),
Some(LogosState::State118),
Some(LogosState::State119),
Some(LogosState::State120),
None,
Some(LogosState::State121),
None,
None,
Some(LogosState::State122),
Some(LogosState::State123),
Some(LogosState::State124),
None,
Some(LogosState::State125),
Some(LogosState::State127),
None,
Some(LogosState::State128),
Some(LogosState::State129),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State130),
None,
Some(LogosState::State131),
Some(LogosState::State132),
None,
Some(LogosState::State133),
Some(LogosState::State135),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State103),
None,
Some(LogosState::State104),
Some(LogosState::State105),
Some(LogosState::State1),
None,
Some(LogosState::State106),
Some(LogosState::State1),
Some(LogosState::State107),
Some(LogosState::State108),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State109),
Some(LogosState::State110),
Some(LogosState::State1),
Some(LogosState::State111),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State112),
Some(LogosState::State113),
Some(LogosState::State1),
Some(LogosState::State114),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State116),
None,
Some(LogosState::State117),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {
if lex.offset() == offset {
return None;
}
}
_take_action!(lex, offset, context, state)
}
LogosState::State96 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State100;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State97 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State100;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State98 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State134;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State99 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State98;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State100 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State98;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State101 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State98;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State102 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State100;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State103 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf20);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State104 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf21);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State105 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State70;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State106 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State55),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State56),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State107 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'o') {
offset += 1;
state = LogosState::State50;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State108 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State38;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State109 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 8u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'o') {
offset += 1;
state = LogosState::State35;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State110 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State31;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State111 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 64u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'p') {
offset += 1;
state = LogosState::State28;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State112 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State17),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State18),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State113 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
Some(LogosState::State1),
None,
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State8),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State9),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State114 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_1[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'e') {
offset += 1;
state = LogosState::State2;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State115 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State77;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State116 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf22);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State117 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf23);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'>') {
offset += 1;
state = LogosState::State0;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State118 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_3[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State92;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State119 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_3[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State136),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State137),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State139),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State141),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State142),
Some(LogosState::State143),
Some(LogosState::State143),
Some(LogosState::State143),
Some(LogosState::State144),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State120 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_3[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State91;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State121 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State89;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State122 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf18);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State123 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf19);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State124 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf32);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State125 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf27);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State126 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf26);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State127 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State75;
continue;
}
if (byte == b'>') {
offset += 1;
state = LogosState::State126;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State128 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'/') {
offset += 1;
state = LogosState::State80;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State129 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State74),
None,
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
Some(LogosState::State75),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State78),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State130 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf28);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b':') {
offset += 1;
state = LogosState::State73;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State131 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf14);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'{') {
offset += 1;
state = LogosState::State72;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State132 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf30);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State133 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf31);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State134 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_3[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State145),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State146),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State99),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State101),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State102),
Some(LogosState::State96),
Some(LogosState::State96),
Some(LogosState::State96),
Some(LogosState::State97),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State135 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_3[byte as usize] & 32u8 != 0 {
offset += 1;
state = LogosState::State71;
continue;
}
if (byte == b'"') {
offset += 1;
state = LogosState::State134;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State136 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf6);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State137 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
None,
Some(LogosState::State119),
Some(LogosState::State119),
None,
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
Some(LogosState::State119),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State138),
Some(LogosState::State139),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State141),
Some(LogosState::State140),
Some(LogosState::State140),
Some(LogosState::State142),
Some(LogosState::State143),
Some(LogosState::State143),
Some(LogosState::State143),
Some(LogosState::State144),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State138 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State119;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State139 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State138;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State140 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State138;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State141 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State138;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State142 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State140;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State143 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State140;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State144 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State140;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State145 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf4);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State146 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
None,
Some(LogosState::State134),
Some(LogosState::State134),
None,
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
Some(LogosState::State134),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State98),
Some(LogosState::State99),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State101),
Some(LogosState::State100),
Some(LogosState::State100),
Some(LogosState::State102),
Some(LogosState::State96),
Some(LogosState::State96),
Some(LogosState::State96),
Some(LogosState::State97),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
];
let next_state = TABLE[byte as usize];
if let Some(next_state) = next_state {
offset += 1;
state = next_state;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
}
}
}
}
