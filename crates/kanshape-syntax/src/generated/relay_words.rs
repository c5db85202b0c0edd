//! Generated from `grammar/relay_words.rs` by `cargo xtask parsers`.

use logos::Lexer;
/// The word that this name is, if it is one of the language.
fn keyword(name: &str) -> Option<Token<'static>> {
Some(
match name {
"_" => Token::Underscore,
"def" => Token::Def,
"fn" => Token::Fn,
"let" => Token::Let,
"if" => Token::If,
"else" => Token::Else,
"match" => Token::Match,
"type" => Token::Type,
"data" => Token::Data,
"extern" => Token::Extern,
"forall" => Token::Forall,
"where" => Token::Where,
"Tensor" => Token::Tensor,
"True" => Token::True,
"False" => Token::False,
_ => return None,
},
)
}
/// A name or a keyword.
fn word<'input>(lexer: &mut Lexer<'input, Token<'input>>) -> Token<'input> {
let name = lexer.slice();
keyword(name).unwrap_or(Token::Name(name))
}
/// A word of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'input> {
/// What a name is, and a keyword is. `word` says which word it is, so that nobody meets this one.
Word,
Name(&'input str),
/// A name with `<` directly behind it: type arguments follow.
Generic(&'input str),
Local(&'input str),
Global(&'input str),
NamedHole(&'input str),
Rigid(&'input str),
Number(&'input str),
Text(&'input str),
Meta(&'input str),
Version(&'input str),
/// A comment begins, in which others may be.
Comment,
/// What follows is JSON, and not read.
Metadata,
Underscore,
Def,
Fn,
Let,
If,
Else,
Match,
MatchPartial,
Type,
Data,
Extern,
Forall,
Where,
Tensor,
True,
False,
LeftParen,
RightParen,
LeftBracket,
RightBracket,
LeftBrace,
RightBrace,
Arrow,
FatArrow,
Comma,
Semicolon,
Colon,
Rest,
Dot,
Question,
Plus,
Minus,
Star,
/// The rest of a line is a comment, but in a shape.
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
OnlyProgram,
OnlyType,
OnlyPattern,
OnlyExpr,
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
$context = None; $state = LogosState::State41; continue; },
CallbackResult::Error(err) => { return Some(Err(err)); },
CallbackResult::DefaultError => { return Some(Err(_make_error($lex))); },
} }
};
}
const _TABLE_0: [u8; 256] = [
128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 192u8, 64u8,
192u8, 192u8, 64u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8,
128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 192u8,
128u8, 0u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 144u8,
128u8, 144u8, 130u8, 128u8, 139u8, 139u8, 139u8, 139u8, 139u8, 139u8, 139u8,
139u8, 139u8, 139u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 128u8, 135u8,
135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8,
135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8, 135u8,
135u8, 135u8, 135u8, 128u8, 0u8, 128u8, 128u8, 135u8, 128u8, 167u8, 167u8,
167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8,
167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8, 167u8,
167u8, 167u8, 128u8, 128u8, 128u8, 128u8, 128u8, 0u8, 0u8, 0u8, 0u8, 0u8,
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
const _TABLE_1: [u8; 256] = [
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 0u8, 1u8, 1u8, 0u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 0u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8,
1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 1u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
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
let cb_result = {
let lex = lex;
lex.slice().trim_end_matches('<')
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Generic)
}
Some(LogosLeaf::Leaf3) => {
let cb_result = {
let lex = lex;
&lex.slice()[1..]
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Local)
}
Some(LogosLeaf::Leaf4) => {
let cb_result = {
let lex = lex;
&lex.slice()[1..]
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Global)
}
Some(LogosLeaf::Leaf5) => {
let cb_result = {
let lex = lex;
&lex.slice()[1..]
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::NamedHole)
}
Some(LogosLeaf::Leaf6) => {
let cb_result = {
let lex = lex;
&lex.slice()[1..]
};
CallbackRetVal::<
's,
&'s str,
Token<'s>,
>::construct(cb_result, Token::Rigid)
}
Some(LogosLeaf::Leaf7) => {
let token = Token::Number(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf8) => {
let token = Token::Text(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf9) => {
let token = Token::Meta(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf10) => {
let token = Token::Version(lex.slice());
CallbackResult::Emit(token)
}
Some(LogosLeaf::Leaf11) => CallbackResult::Emit(Token::Comment),
Some(LogosLeaf::Leaf12) => CallbackResult::Emit(Token::Metadata),
Some(LogosLeaf::Leaf13) => CallbackResult::Emit(Token::MatchPartial),
Some(LogosLeaf::Leaf14) => CallbackResult::Emit(Token::LeftParen),
Some(LogosLeaf::Leaf15) => CallbackResult::Emit(Token::RightParen),
Some(LogosLeaf::Leaf16) => CallbackResult::Emit(Token::LeftBracket),
Some(LogosLeaf::Leaf17) => CallbackResult::Emit(Token::RightBracket),
Some(LogosLeaf::Leaf18) => CallbackResult::Emit(Token::LeftBrace),
Some(LogosLeaf::Leaf19) => CallbackResult::Emit(Token::RightBrace),
Some(LogosLeaf::Leaf20) => CallbackResult::Emit(Token::Arrow),
Some(LogosLeaf::Leaf21) => CallbackResult::Emit(Token::FatArrow),
Some(LogosLeaf::Leaf22) => CallbackResult::Emit(Token::Comma),
Some(LogosLeaf::Leaf23) => CallbackResult::Emit(Token::Semicolon),
Some(LogosLeaf::Leaf24) => CallbackResult::Emit(Token::Colon),
Some(LogosLeaf::Leaf25) => CallbackResult::Emit(Token::Rest),
Some(LogosLeaf::Leaf26) => CallbackResult::Emit(Token::Dot),
Some(LogosLeaf::Leaf27) => CallbackResult::Emit(Token::Question),
Some(LogosLeaf::Leaf28) => CallbackResult::Emit(Token::Plus),
Some(LogosLeaf::Leaf29) => CallbackResult::Emit(Token::Minus),
Some(LogosLeaf::Leaf30) => CallbackResult::Emit(Token::Star),
Some(LogosLeaf::Leaf31) => CallbackResult::Emit(Token::SlashSlash),
Some(LogosLeaf::Leaf32) => CallbackResult::Emit(Token::Slash),
Some(LogosLeaf::Leaf33) => CallbackResult::Emit(Token::Percent),
Some(LogosLeaf::Leaf34) => CallbackResult::Emit(Token::Equals),
Some(LogosLeaf::Leaf35) => CallbackResult::Emit(Token::EqualsEquals),
Some(LogosLeaf::Leaf36) => CallbackResult::Emit(Token::NotEquals),
Some(LogosLeaf::Leaf37) => CallbackResult::Emit(Token::Less),
Some(LogosLeaf::Leaf38) => CallbackResult::Emit(Token::LessEquals),
Some(LogosLeaf::Leaf39) => CallbackResult::Emit(Token::Greater),
Some(LogosLeaf::Leaf40) => CallbackResult::Emit(Token::GreaterEquals),
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
let mut state = LogosState::State41;
let mut offset = lex.offset();
let mut context: _Option<LogosLeaf> = None;
loop {
match state {
LogosState::State0 => {
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
Some(LogosState::State52),
None,
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
Some(LogosState::State52),
None,
None,
Some(LogosState::State3),
None,
None,
None,
None,
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
None,
None,
None,
None,
Some(LogosState::State16),
None,
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
Some(LogosState::State16),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State1 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
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
Some(LogosState::State0),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State2),
None,
Some(LogosState::State3),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State2 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b':') {
offset += 1;
state = LogosState::State48;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State3 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf2);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State4 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
LogosState::State5 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State6),
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
LogosState::State6 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State7),
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
LogosState::State7 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State8),
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
LogosState::State8 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 2u8 != 0 {
offset += 1;
state = LogosState::State109;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State9 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State10),
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
LogosState::State10 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State11),
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
LogosState::State11 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
None,
None,
Some(LogosState::State12),
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
LogosState::State12 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf13);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State13 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State15;
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
Some(LogosState::State13),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State2),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State15 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
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
Some(LogosState::State13),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State2),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State16 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 1u8 == 0
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
Some(LogosState::State0),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State2),
None,
Some(LogosState::State3),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 2u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf4);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'<') {
offset += 1;
state = LogosState::State3;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State18 => {
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
LogosState::State19 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf40);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State20 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf35);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State21 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf21);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State22 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf38);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State23 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State32;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State24 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State25),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State27),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State25 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 16u8 != 0 {
offset += 1;
state = LogosState::State28;
continue;
}
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State26 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 32u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State31;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State27 => {
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
Some(LogosState::State28),
None,
Some(LogosState::State28),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State28 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State30;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State29 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'a'..= b'z')) {
offset += 1;
state = LogosState::State26;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State30 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'a'..= b'z')) {
offset += 1;
state = LogosState::State26;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State31 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf7);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State32 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State25),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State27),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
Some(LogosState::State26),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State33 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf11);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State34 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf31);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State35 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf25);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State36 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf20);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State37 => {
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
LogosState::State38 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf3);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State39 => {
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
LogosState::State40 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 64u8 == 0
}
_fast_loop!(lex, loop_test, offset);
lex.end(offset);
context = Some(LogosLeaf::Leaf0);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State41 => {
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
Some(LogosState::State40),
Some(LogosState::State40),
Some(LogosState::State40),
Some(LogosState::State40),
Some(LogosState::State40),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State40),
Some(LogosState::State60),
Some(LogosState::State61),
Some(LogosState::State62),
None,
Some(LogosState::State63),
None,
Some(LogosState::State64),
Some(LogosState::State65),
Some(LogosState::State66),
Some(LogosState::State67),
Some(LogosState::State90),
Some(LogosState::State99),
Some(LogosState::State42),
Some(LogosState::State43),
Some(LogosState::State44),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State24),
Some(LogosState::State45),
Some(LogosState::State46),
Some(LogosState::State47),
Some(LogosState::State49),
Some(LogosState::State50),
Some(LogosState::State51),
Some(LogosState::State53),
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
Some(LogosState::State54),
None,
Some(LogosState::State55),
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
Some(LogosState::State56),
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
Some(LogosState::State57),
None,
Some(LogosState::State58),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
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
LogosState::State42 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf29);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'>') {
offset += 1;
state = LogosState::State36;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State43 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf26);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'.') {
offset += 1;
state = LogosState::State35;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State44 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf32);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'*') {
offset += 1;
state = LogosState::State33;
continue;
}
if (byte == b'/') {
offset += 1;
state = LogosState::State34;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State45 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf24);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State46 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf23);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State47 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf37);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State22;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State48 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State14;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State49 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf34);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State20;
continue;
}
if (byte == b'>') {
offset += 1;
state = LogosState::State21;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State50 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf39);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State19;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State51 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf27);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State18;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State52 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 2u8 == 0
}
_fast_loop!(lex, loop_test, offset);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'<') {
offset += 1;
state = LogosState::State3;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State53 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State17;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State54 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf16);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State55 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf17);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State56 => {
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
Some(LogosState::State0),
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
Some(LogosState::State2),
None,
Some(LogosState::State3),
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
Some(LogosState::State4),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State1),
Some(LogosState::State5),
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
LogosState::State57 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf18);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State58 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf19);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State59 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf9);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State60 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State110;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State61 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 128u8 == 0
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
Some(LogosState::State100),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State101),
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State103),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State105),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State106),
Some(LogosState::State107),
Some(LogosState::State107),
Some(LogosState::State107),
Some(LogosState::State108),
None,
None,
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
LogosState::State62 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'[') {
offset += 1;
state = LogosState::State68;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State63 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf33);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State38;
continue;
}
if _TABLE_0[byte as usize] & 4u8 != 0 {
offset += 1;
state = LogosState::State39;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State64 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if _TABLE_0[byte as usize] & 1u8 != 0 {
offset += 1;
state = LogosState::State37;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State65 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf14);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State66 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf15);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State67 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf30);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State68 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'm') {
offset += 1;
state = LogosState::State69;
continue;
}
if (byte == b'v') {
offset += 1;
state = LogosState::State70;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State69 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'e') {
offset += 1;
state = LogosState::State91;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State70 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'e') {
offset += 1;
state = LogosState::State71;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State71 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'r') {
offset += 1;
state = LogosState::State72;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State72 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b's') {
offset += 1;
state = LogosState::State73;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State73 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'i') {
offset += 1;
state = LogosState::State74;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State74 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'o') {
offset += 1;
state = LogosState::State75;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State75 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'n') {
offset += 1;
state = LogosState::State76;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State76 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == 32u8) {
offset += 1;
state = LogosState::State77;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State77 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'=') {
offset += 1;
state = LogosState::State78;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State78 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == 32u8) {
offset += 1;
state = LogosState::State79;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State79 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'"') {
offset += 1;
state = LogosState::State80;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State80 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_1[byte as usize] & 1u8 == 0
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State82),
Some(LogosState::State83),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State85),
Some(LogosState::State84),
Some(LogosState::State84),
Some(LogosState::State86),
Some(LogosState::State87),
Some(LogosState::State87),
Some(LogosState::State87),
Some(LogosState::State88),
None,
None,
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
if (byte == b']') {
offset += 1;
state = LogosState::State89;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State82 => {
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
LogosState::State83 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State82;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State84 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State82;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State85 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State82;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State86 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State84;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State87 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State84;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State88 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State84;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State89 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf10);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State90 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf28);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State91 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b't') {
offset += 1;
state = LogosState::State92;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State92 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'a') {
offset += 1;
state = LogosState::State93;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State93 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'd') {
offset += 1;
state = LogosState::State94;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State94 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'a') {
offset += 1;
state = LogosState::State95;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State95 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b't') {
offset += 1;
state = LogosState::State96;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State96 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'a') {
offset += 1;
state = LogosState::State97;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State97 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b']') {
offset += 1;
state = LogosState::State98;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State98 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf12);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State99 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf22);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State100 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf8);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State101 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
const TABLE: [_Option<LogosState>; 256] = [
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
None,
Some(LogosState::State61),
Some(LogosState::State61),
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
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
None,
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State102),
Some(LogosState::State103),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State105),
Some(LogosState::State104),
Some(LogosState::State104),
Some(LogosState::State106),
Some(LogosState::State107),
Some(LogosState::State107),
Some(LogosState::State107),
Some(LogosState::State108),
None,
None,
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
LogosState::State102 => {
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
LogosState::State103 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 160u8..= 191u8)) {
offset += 1;
state = LogosState::State102;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State104 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State102;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State105 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 159u8)) {
offset += 1;
state = LogosState::State102;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State106 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 144u8..= 191u8)) {
offset += 1;
state = LogosState::State104;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State107 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 191u8)) {
offset += 1;
state = LogosState::State104;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State108 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, 128u8..= 143u8)) {
offset += 1;
state = LogosState::State104;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State109 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 2u8 == 0
}
_fast_loop!(lex, loop_test, offset);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b']') {
offset += 1;
state = LogosState::State111;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State110 => {
lex.end(offset);
context = Some(LogosLeaf::Leaf36);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State111 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b'[') {
offset += 1;
state = LogosState::State112;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State112 => {
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (matches!(byte, b'0'..= b'9')) {
offset += 1;
state = LogosState::State113;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
LogosState::State113 => {
#[inline]
fn loop_test(byte: u8) -> bool {
_TABLE_0[byte as usize] & 8u8 == 0
}
_fast_loop!(lex, loop_test, offset);
let other = lex.read::<u8>(offset);
if let Some(byte) = other {
if (byte == b']') {
offset += 1;
state = LogosState::State59;
continue;
}
} else {}
_take_action!(lex, offset, context, state)
}
}
}
}
}
