//! Generated from `grammar/relation_words.rs` by `cargo xtask parsers`.

use crate::name;
use logos::Lexer;
/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
Some(
match name {
"_" => Token::Underscore,
"false" => Token::False,
"for" => Token::For,
"in" => Token::In,
"none" => Token::None,
"true" => Token::True,
"domain" => Token::Domain,
"op" => Token::Op,
"rule" => Token::Rule,
"const" => Token::Const,
"since" => Token::Since,
"type" => Token::Type,
"and" => Token::And,
"or" => Token::Or,
"not" => Token::Not,
_ => return None,
},
)
}
/// A name, a keyword or the name of an operator behind that of its domain, whose first character has been read.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Result<Token<'input>, ()> {
let name = name::read(lexer)?;
if let Some(qualified) = name::qualified(&lexer.source()[lexer.span().start..]) {
lexer.bump(qualified.len() - name.len());
return Ok(Token::Qualified(qualified));
}
Ok(keyword(name).unwrap_or(Token::Name(name)))
}
/// A word of the relation language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'input> {
/// `/// ...` up to the end of the line; without the slashes.
Doc(&'input str),
/// What begins as a name does. `word` says which word it is, so that nobody meets this one.
Word,
Name(&'input str),
/// The name of an operator behind that of its domain.
Qualified(&'input str),
Int(&'input str),
Float(&'input str),
/// A text as written, with its quotes.
Text(&'input str),
Underscore,
False,
For,
In,
None,
True,
Domain,
Op,
Rule,
Const,
Since,
Type,
LeftParen,
RightParen,
LeftBracket,
RightBracket,
LeftBrace,
RightBrace,
Neck,
Arrow,
Implies,
Equivalent,
Comma,
Semicolon,
Colon,
Rest,
Stop,
Bang,
Question,
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
OnlyRule,
OnlyLeaf,
And,
Or,
Not,
Becomes,
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
$context = None; $state = LogosState::State38; continue; },
CallbackResult::Error(err) => { return Some(Err(err)); },
CallbackResult::DefaultError => { return Some(Err(_make_error($lex))); },
} }
};
}
const _TABLE_0: [u8; 256] = [
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 28u8, 8u8, 28u8, 28u8,
12u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 28u8, 20u8, 4u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 22u8, 20u8, 22u8, 20u8, 20u8, 21u8, 21u8, 21u8, 21u8,
21u8, 21u8, 21u8, 21u8, 21u8, 21u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 4u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8,
20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 20u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
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
let cb_result = {
let lex = lex;
&lex.slice()[3..]
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Doc)
}
Some(LogosLeaf::Leaf3) => {
let cb_result = word(lex);
CallbackRetVal::<
's,
(),
Token<'s>,
>::construct(cb_result, |()| Token::Word)
}
Some(LogosLeaf::Leaf4) => {
let token = Token::Int(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf5) => {
let token = Token::Float(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf6) => {
let token = Token::Float(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf7) => {
let token = Token::Text(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf8) => CallbackResult::Emit(Token::LeftParen),
Some(LogosLeaf::Leaf9) => CallbackResult::Emit(Token::RightParen),
Some(LogosLeaf::Leaf10) => CallbackResult::Emit(Token::LeftBracket),
Some(LogosLeaf::Leaf11) => CallbackResult::Emit(Token::RightBracket),
Some(LogosLeaf::Leaf12) => CallbackResult::Emit(Token::LeftBrace),
Some(LogosLeaf::Leaf13) => CallbackResult::Emit(Token::RightBrace),
Some(LogosLeaf::Leaf14) => CallbackResult::Emit(Token::Neck),
Some(LogosLeaf::Leaf15) => CallbackResult::Emit(Token::Arrow),
Some(LogosLeaf::Leaf16) => CallbackResult::Emit(Token::Implies),
Some(LogosLeaf::Leaf17) => CallbackResult::Emit(Token::Equivalent),
Some(LogosLeaf::Leaf18) => CallbackResult::Emit(Token::Comma),
Some(LogosLeaf::Leaf19) => CallbackResult::Emit(Token::Semicolon),
Some(LogosLeaf::Leaf20) => CallbackResult::Emit(Token::Colon),
Some(LogosLeaf::Leaf21) => CallbackResult::Emit(Token::Rest),
Some(LogosLeaf::Leaf22) => CallbackResult::Emit(Token::Rest),
Some(LogosLeaf::Leaf23) => CallbackResult::Emit(Token::Stop),
Some(LogosLeaf::Leaf24) => CallbackResult::Emit(Token::Bang),
Some(LogosLeaf::Leaf25) => CallbackResult::Emit(Token::Question),
Some(LogosLeaf::Leaf26) => CallbackResult::Emit(Token::Plus),
Some(LogosLeaf::Leaf27) => CallbackResult::Emit(Token::Minus),
Some(LogosLeaf::Leaf28) => CallbackResult::Emit(Token::Star),
Some(LogosLeaf::Leaf29) => CallbackResult::Emit(Token::SlashSlash),
Some(LogosLeaf::Leaf30) => CallbackResult::Emit(Token::Slash),
Some(LogosLeaf::Leaf31) => CallbackResult::Emit(Token::Percent),
Some(LogosLeaf::Leaf32) => CallbackResult::Emit(Token::Equals),
Some(LogosLeaf::Leaf33) => CallbackResult::Emit(Token::EqualsEquals),
Some(LogosLeaf::Leaf34) => CallbackResult::Emit(Token::NotEquals),
Some(LogosLeaf::Leaf35) => CallbackResult::Emit(Token::Less),
Some(LogosLeaf::Leaf36) => CallbackResult::Emit(Token::LessEquals),
Some(LogosLeaf::Leaf37) => CallbackResult::Emit(Token::Greater),
Some(LogosLeaf::Leaf38) => CallbackResult::Emit(Token::GreaterEquals),
Some(LogosLeaf::Leaf39) => CallbackResult::Emit(Token::And),
Some(LogosLeaf::Leaf40) => CallbackResult::Emit(Token::And),
Some(LogosLeaf::Leaf41) => CallbackResult::Emit(Token::Or),
Some(LogosLeaf::Leaf42) => CallbackResult::Emit(Token::Or),
Some(LogosLeaf::Leaf43) => CallbackResult::Emit(Token::Not),
Some(LogosLeaf::Leaf44) => CallbackResult::Emit(Token::Becomes),
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
Leaf33 = 33isize,
Leaf34 = 34isize,
Leaf35 = 35isize,
Leaf36 = 36isize,
Leaf37 = 37isize,
Leaf38 = 38isize,
Leaf39 = 39isize,
Leaf40 = 40isize,
Leaf41 = 41isize,
Leaf42 = 42isize,
Leaf43 = 43isize,
Leaf44 = 44isize,
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
State9,
}
let mut state = LogosState::State38;
let mut offset = lex.offset();
let mut context: _Option<LogosLeaf> = None;
loop {
match state {
LogosState::State0 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf42);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State1 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf38);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State2 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf33);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State3 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf16);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State4 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf36);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'>') {
offset += 1;
state = LogosState::State5;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State5 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf17);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State6 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf14);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State7 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf44);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State8 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State12;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State9 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf4);
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
Some(LogosState::State8),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State10),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State10),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State10 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State11;
continue;
}
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State65;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State11 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf6);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State12 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf5);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'E') || (byte == b'e') {
offset += 1;
state = LogosState::State13;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State13 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State14;
continue;
}
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State79;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State14 => {
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
LogosState::State15 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf29);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'/') {
offset += 1;
state = LogosState::State16;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State16 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 4u8 == 0
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State17),
Some(LogosState::State18),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State20),
Some(LogosState::State19),
Some(LogosState::State19),
Some(LogosState::State21),
Some(LogosState::State22),
Some(LogosState::State22),
Some(LogosState::State22),
Some(LogosState::State23),
None,
None,
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
LogosState::State17 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State16;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State18 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State17;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State19 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State17;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State20 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State17;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State21 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State19;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State22 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State19;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State23 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State19;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State24 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf21);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State25;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State25 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf22);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State26 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf15);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State27 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf40);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State28 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 4u8 == 0
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
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State29),
Some(LogosState::State30),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State32),
Some(LogosState::State31),
Some(LogosState::State31),
Some(LogosState::State33),
Some(LogosState::State34),
Some(LogosState::State34),
Some(LogosState::State34),
Some(LogosState::State35),
None,
None,
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
LogosState::State29 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State28;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State30 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State29;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State31 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State29;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State32 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State29;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State33 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State31;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State34 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State31;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State35 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State31;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State36 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf34);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State37 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf0);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State38 => {
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
Some(LogosState::State37),
Some(LogosState::State37),
Some(LogosState::State37),
Some(LogosState::State37),
Some(LogosState::State37),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State37),
Some(LogosState::State80),
Some(LogosState::State81),
Some(LogosState::State28),
None,
Some(LogosState::State82),
Some(LogosState::State39),
None,
Some(LogosState::State40),
Some(LogosState::State41),
Some(LogosState::State42),
Some(LogosState::State43),
Some(LogosState::State44),
Some(LogosState::State45),
Some(LogosState::State46),
Some(LogosState::State47),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State9),
Some(LogosState::State48),
Some(LogosState::State49),
Some(LogosState::State50),
Some(LogosState::State51),
Some(LogosState::State52),
Some(LogosState::State53),
None,
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State55),
Some(LogosState::State56),
Some(LogosState::State57),
None,
Some(LogosState::State54),
None,
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State54),
Some(LogosState::State58),
Some(LogosState::State59),
Some(LogosState::State60),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State61),
Some(LogosState::State62),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State64),
Some(LogosState::State63),
Some(LogosState::State63),
Some(LogosState::State66),
Some(LogosState::State67),
Some(LogosState::State67),
Some(LogosState::State67),
Some(LogosState::State68),
None,
None,
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
LogosState::State39 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf39);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'&') {
offset += 1;
state = LogosState::State27;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State40 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf8);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State41 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf9);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State42 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf28);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State43 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf26);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State44 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf18);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State45 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf27);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'>') {
offset += 1;
state = LogosState::State26;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State46 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf23);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State24;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State47 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf30);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'/') {
offset += 1;
state = LogosState::State15;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State48 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf20);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'-') {
offset += 1;
state = LogosState::State6;
continue;
}
if (byte == b'=') {
offset += 1;
state = LogosState::State7;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State49 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf19);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State50 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf35);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State4;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State51 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf32);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State2;
continue;
}
if (byte == b'>') {
offset += 1;
state = LogosState::State3;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State52 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf37);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State1;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State53 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf25);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State54 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State55 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf10);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State56 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'+') {
offset += 1;
state = LogosState::State69;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State57 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf11);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State58 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf12);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State59 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf41);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'|') {
offset += 1;
state = LogosState::State0;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State60 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf13);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State61 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State54;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State62 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State61;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State63 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State61;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State64 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State61;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State65 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State11;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State66 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State63;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State67 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State63;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State68 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State63;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State69 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf43);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State70 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State71 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
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
None,
Some(LogosState::State81),
Some(LogosState::State81),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State73),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State75),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State76),
Some(LogosState::State77),
Some(LogosState::State77),
Some(LogosState::State77),
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
LogosState::State72 => {
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
LogosState::State73 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State72;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State74 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State72;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State75 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State72;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State76 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State74;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State77 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State74;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State78 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State74;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State79 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State14;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State80 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf24);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State36;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State81 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 16u8 == 0
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
Some(LogosState::State70),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State71),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State72),
Some(LogosState::State73),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State75),
Some(LogosState::State74),
Some(LogosState::State74),
Some(LogosState::State76),
Some(LogosState::State77),
Some(LogosState::State77),
Some(LogosState::State77),
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
LogosState::State82 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf31);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
}
}
}
}
