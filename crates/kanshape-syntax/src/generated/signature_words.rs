//! Generated from `grammar/signature_words.rs` by `cargo xtask parsers`.

use crate::name;
use logos::Lexer;
/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
Some(
match name {
"and" => Token::And,
"dim" => Token::Dim,
"dtype" => Token::Dtype,
"fn" => Token::Fn,
"forall" => Token::Forall,
"in" => Token::In,
"promote" => Token::Promote,
"PromotedDType" => Token::PromotedDtype,
"tensor" => Token::MlirTensor,
"Tensor" => Token::Tensor,
"TensorType" => Token::TensorType,
"tuple" => Token::Tuple,
"type" => Token::Type,
"Type" => Token::Kind,
"where" => Token::Where,
_ => return None,
},
)
}
/// A name or a keyword, whose first character has been read.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<Token<'input>, ()> {
let name = name::read(lexer)?;
Ok(keyword(name).unwrap_or(Token::Name(name)))
}
/// The dots of a run, with the name behind them if there is one.
fn run<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
let name = name::first(lexer.remainder());
lexer.bump(name.len());
if name.is_empty() { Token::Dots } else { Token::Run(name) }
}
/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'input> {
StartSignature,
StartType,
StartCondition,
StartConditions,
StartExpr,
/// What begins as a name does. `word` says which word it is, so that nobody meets this one.
Word,
Name(&'input str),
Int(&'input str),
Float(&'input str),
/// With its quotes.
Text(&'input str),
/// `...r`; without the dots.
Run(&'input str),
And,
Dim,
Dtype,
Fn,
Forall,
In,
Promote,
PromotedDtype,
MlirTensor,
Tensor,
TensorType,
Tuple,
Type,
Kind,
Where,
LeftParen,
RightParen,
LeftBracket,
RightBracket,
LeftBrace,
RightBrace,
Arrow,
FatArrow,
Comma,
Colon,
Dots,
Dot,
Question,
Bar,
At,
Plus,
Minus,
Star,
SlashSlash,
Slash,
Percent,
Equals,
EqualsEquals,
NotEquals,
Less,
LessEquals,
Greater,
GreaterEquals,
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
$context = None; $state = LogosState::State15; continue; },
CallbackResult::Error(err) => { return Some(Err(err)); },
CallbackResult::DefaultError => { return Some(Err(_make_error($lex))); },
} }
};
}
const _TABLE_0: [u8; 256] = [
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 12u8, 4u8, 12u8, 12u8, 4u8, 8u8,
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8,
8u8, 8u8, 12u8, 8u8, 0u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 10u8, 8u8,
10u8, 8u8, 8u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 9u8, 8u8, 8u8,
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8,
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8,
8u8, 8u8, 0u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8,
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8,
8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 8u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8,
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
Some(LogosLeaf::Leaf1) => {
let cb_result = word(lex);
CallbackRetVal::<
's,
(),
Token<'s>,
>::construct(cb_result, |()| Token::Word)
}
Some(LogosLeaf::Leaf2) => {
let token = Token::Int(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf3) => {
let token = Token::Float(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf4) => {
let token = Token::Text(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf5) => CallbackResult::Emit(Token::LeftParen),
Some(LogosLeaf::Leaf6) => CallbackResult::Emit(Token::RightParen),
Some(LogosLeaf::Leaf7) => CallbackResult::Emit(Token::LeftBracket),
Some(LogosLeaf::Leaf8) => CallbackResult::Emit(Token::RightBracket),
Some(LogosLeaf::Leaf9) => CallbackResult::Emit(Token::LeftBrace),
Some(LogosLeaf::Leaf10) => CallbackResult::Emit(Token::RightBrace),
Some(LogosLeaf::Leaf11) => CallbackResult::Emit(Token::Arrow),
Some(LogosLeaf::Leaf12) => CallbackResult::Emit(Token::FatArrow),
Some(LogosLeaf::Leaf13) => CallbackResult::Emit(Token::Comma),
Some(LogosLeaf::Leaf14) => CallbackResult::Emit(Token::Colon),
Some(LogosLeaf::Leaf15) => {
let cb_result = run(lex);
CallbackRetVal::<
's,
(),
Token<'s>,
>::construct(cb_result, |()| Token::Dots)
}
Some(LogosLeaf::Leaf16) => CallbackResult::Emit(Token::Dot),
Some(LogosLeaf::Leaf17) => CallbackResult::Emit(Token::Question),
Some(LogosLeaf::Leaf18) => CallbackResult::Emit(Token::Bar),
Some(LogosLeaf::Leaf19) => CallbackResult::Emit(Token::At),
Some(LogosLeaf::Leaf20) => CallbackResult::Emit(Token::Plus),
Some(LogosLeaf::Leaf21) => CallbackResult::Emit(Token::Minus),
Some(LogosLeaf::Leaf22) => CallbackResult::Emit(Token::Star),
Some(LogosLeaf::Leaf23) => CallbackResult::Emit(Token::SlashSlash),
Some(LogosLeaf::Leaf24) => CallbackResult::Emit(Token::Slash),
Some(LogosLeaf::Leaf25) => CallbackResult::Emit(Token::Percent),
Some(LogosLeaf::Leaf26) => CallbackResult::Emit(Token::Equals),
Some(LogosLeaf::Leaf27) => CallbackResult::Emit(Token::EqualsEquals),
Some(LogosLeaf::Leaf28) => CallbackResult::Emit(Token::NotEquals),
Some(LogosLeaf::Leaf29) => CallbackResult::Emit(Token::Less),
Some(LogosLeaf::Leaf30) => CallbackResult::Emit(Token::LessEquals),
Some(LogosLeaf::Leaf31) => CallbackResult::Emit(Token::Greater),
Some(LogosLeaf::Leaf32) => CallbackResult::Emit(Token::GreaterEquals),
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
State11,
State12,
State13,
State14,
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
State6,
State7,
State8,
State9,
}
let mut state = LogosState::State15;
let mut offset = lex.offset();
let mut context: _Option<LogosLeaf> = None;
loop {
match state {
LogosState::State0 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf32);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State1 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf27);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State2 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf12);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State3 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf30);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State4 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State8;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State5 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State4),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State6),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State6),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State6 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State7;
continue;
}
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State24;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State7 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State8 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'E') || (byte == b'e') {
offset += 1;
state = LogosState::State9;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State9 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State10;
continue;
}
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State29;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State10 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State11 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf23);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State12 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State36;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State13 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf11);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State14 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 4u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf0);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State15 => {
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
Some(LogosState::State14),
Some(LogosState::State14),
Some(LogosState::State14),
Some(LogosState::State14),
Some(LogosState::State14),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State14),
Some(LogosState::State37),
Some(LogosState::State38),
None,
None,
Some(LogosState::State39),
None,
None,
Some(LogosState::State40),
Some(LogosState::State41),
Some(LogosState::State42),
Some(LogosState::State43),
Some(LogosState::State44),
Some(LogosState::State45),
Some(LogosState::State55),
Some(LogosState::State57),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State5),
Some(LogosState::State58),
None,
Some(LogosState::State35),
Some(LogosState::State16),
Some(LogosState::State17),
Some(LogosState::State18),
Some(LogosState::State19),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State21),
None,
Some(LogosState::State22),
None,
Some(LogosState::State20),
None,
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State20),
Some(LogosState::State23),
Some(LogosState::State25),
Some(LogosState::State26),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State27),
Some(LogosState::State28),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State31),
Some(LogosState::State30),
Some(LogosState::State30),
Some(LogosState::State32),
Some(LogosState::State33),
Some(LogosState::State33),
Some(LogosState::State33),
Some(LogosState::State34),
None,
None,
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
LogosState::State16 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf26);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State1;
continue;
}
if (byte == b'>') {
offset += 1;
state = LogosState::State2;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State17 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf31);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State0;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State18 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf17);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State19 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf19);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State20 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf1);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State21 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State22 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf8);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State23 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf9);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State24 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State7;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State25 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf18);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State26 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf10);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State27 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State20;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State28 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State29 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State10;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State30 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State31 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State32 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State33 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State34 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State35 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf29);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State3;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State36 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf15);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State37 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State56;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State38 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
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
Some(LogosState::State46),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State47),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State49),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State51),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State52),
Some(LogosState::State53),
Some(LogosState::State53),
Some(LogosState::State53),
Some(LogosState::State54),
None,
None,
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
LogosState::State39 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf25);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State40 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf5);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State41 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf6);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State42 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf22);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State43 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf20);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State44 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf13);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State45 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf21);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'>') {
offset += 1;
state = LogosState::State13;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State46 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf4);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State47 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
None,
Some(LogosState::State38),
Some(LogosState::State38),
None,
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
Some(LogosState::State38),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State48),
Some(LogosState::State49),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State51),
Some(LogosState::State50),
Some(LogosState::State50),
Some(LogosState::State52),
Some(LogosState::State53),
Some(LogosState::State53),
Some(LogosState::State53),
Some(LogosState::State54),
None,
None,
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
LogosState::State48 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State38;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State49 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State48;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State50 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State48;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State51 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State48;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State52 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State50;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State53 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State50;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State54 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State50;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State55 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf16);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State12;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State56 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf28);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State57 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf24);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'/') {
offset += 1;
state = LogosState::State11;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State58 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf14);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
}
}
}
}
