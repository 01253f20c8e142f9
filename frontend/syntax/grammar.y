/* Grammar: both versions of Diderot in one set of rules, into one tree.
 *
 * The nonterminals and their order are those of doc/language.md. Keywords tell the versions apart;
 * where that is not enough, FORM notes a form that only one version has (forms.def), and the rules
 * accept it in both. An action calls one constructor, some of them in nodes.c, and checks nothing.
 * After an error, stream.c skips the broken construct and gives SKIPPED in its place.
 * Tokens come from tokens.def, through splice.awk. Next: parse.c.
 */

%require "3.8"
%define api.pure full
%define api.prefix {grammar_}
%define api.token.prefix {T_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { Parser *parser }

%code requires {
#include "frontend/syntax/local.h"
}

%union {
  Ident ident;
  const Ast *node;
  AstList list;
  bool is_array;
  MethodWord method;
}

%code {
#define YYMAXDEPTH 400000
#define YYLLOC_DEFAULT(whole, parts, n) ((whole) = span_of_parts((parts), (n)))
#define LEAF(Type, span) AST_NEW(parser->arena, Type, (span), )
#define FORM(span, id) form_used(parser, (span), FORM_##id)
#define METHOD(kind, word) ((MethodWord){METHOD_##kind, (word)})

static int grammar_lex(GRAMMAR_STYPE *value, Span *span, Parser *parser);
static void grammar_error(const Span *span, Parser *parser, const char *text);
}

<<tokens>>

%type <node> global_decl var_decl param body strand_part bad_strand_part strand state_var method
%type <node> opt_init opt_start opt_update init_block start_block update_block
%type <node> creation iterator bounds opt_value opt_default opt_description
%type <node> block stmt simple_stmt foreach_body
%type <node> type seq_type prim_type shape dim int string
%type <node> expr range_expr or_expr and_expr cmp_expr add_expr mul_expr compose_expr
%type <node> prefix_expr power_expr suffix_expr applied operand base brace_call brace_arg special
%type <node> diff_expr atom index
%type <list> globals opt_params params state methods stmts opt_args args opt_dims dims
%type <list> iterators all_bounds indices brace_index
%type <ident> assign_op cmp_op add_op mul_op prefix_op diff_op basic_type
%type <method> method_word
%type <is_array> creation_kind

%precedence THEN
%precedence ELSE

%%

/* Program and declarations. */

program:
  globals opt_init strand_part opt_start opt_update creation
    {
      const Ast *strand = $3 ? $3 : missing_strand(parser, @3);
      const Ast *creation = $6 ? $6 : missing_creation(parser, @6);
      parser->program = NODE(Program, @$, parser->version, $1, $2, strand, $4, $5, creation);
    }
;
globals:
  %empty                { $$ = (AstList){0}; }
| globals global_decl   { $$ = list_add(parser, $1, $2); }
| globals error SKIPPED { $$ = $1; yyerrok; }
;
global_decl:
  "const" type ID opt_value ";"
    { $$ = NODE(Const, @$, $2, $3, $4); }
| "input" type ID opt_description opt_default ";"
    { $$ = NODE(Input, @$, form_input_type(parser, $2), $3, $4, $5); }
| "function" type ID "(" opt_params ")" body
    { $$ = NODE(Function, @$, form_result_type(parser, $2), $3, $5, $7); }
| type ID "(" ID ")" "=" expr ";"
    { $$ = NODE(FieldFun, @$, $1, $2, $4, $7); FORM(@$, FIELD_FUN); }
| type ID "(" params ")" "=" expr ";"
    { $$ = NODE(OfieldFun, @$, $1, $2, $4, (AstList){0}, $7); FORM(@$, FIELD_FUN); }
| type ID "(" params ")" "(" params ")" "=" expr ";"
    { $$ = NODE(OfieldFun, @$, $1, $2, $4, $7, $10); FORM(@$, FIELD_FUN); }
| var_decl
;
opt_value:
  %empty     { $$ = NULL; FORM(@$, NO_VALUE); }
| "=" expr   { $$ = $2; }
;
opt_default:
  %empty     { $$ = NULL; }
| "=" expr   { $$ = form_default(parser, $2); }
;
opt_description:
  %empty           { $$ = NULL; }
| "(" string ")"   { $$ = $2; }
;
var_decl:
  type ID opt_value ";"  { $$ = NODE(Var, @$, $1, $2, $3); }
;
body:
  "=" expr ";"     { $$ = $2; }
| block opt_semi
;
opt_params:
  %empty           { $$ = (AstList){0}; }
| params
;
params:
  param            { $$ = list_of(parser, $1); }
| params "," param { $$ = list_add(parser, $1, $3); }
;
param:
  type ID          { $$ = NODE(Param, @$, form_param_type(parser, $1), $2); }
;
opt_semi:
  %empty
| ";"              { FORM(@1, EXTRA_SEMI); }
;

opt_init:   %empty { $$ = NULL; } | init_block ;
opt_start:  %empty { $$ = NULL; } | start_block ;
opt_update: %empty { $$ = NULL; } | update_block ;

init_block:
  "initialize" block opt_semi   { $$ = $2; }
| "initialize" error SKIPPED    { $$ = NULL; yyerrok; }
;
start_block:
  "start" block opt_semi        { $$ = $2; }
| "start" error SKIPPED         { $$ = NULL; yyerrok; }
;
update_block:
  "update" block opt_semi       { $$ = $2; FORM(@1, UPDATE_BLOCK); }
| "global" block                { $$ = $2; }
| "update" error SKIPPED        { $$ = NULL; yyerrok; }
| "global" error SKIPPED        { $$ = NULL; yyerrok; }
;

/* The strand. What cannot follow it is left out here, so that the rest is still read. */

strand_part:
  strand
| strand ";"                    { FORM(@2, EXTRA_SEMI); }
| bad_strand_part
;
bad_strand_part:
  strand error SKIPPED          { yyerrok; }
| strand ";" error SKIPPED      { yyerrok; }
| bad_strand_part error SKIPPED { yyerrok; }
;
strand:
  "strand" ID "(" opt_params ")" "{" state opt_init methods "}"
    { $$ = NODE(Strand, @$, $2, $4, $7, $8, $9); }
| "strand" error SKIPPED { $$ = NULL; yyerrok; }
;
state:
  %empty              { $$ = (AstList){0}; }
| state state_var     { $$ = list_add(parser, $1, $2); }
| state error SKIPPED { yyerrok; }
;
state_var:
  type ID opt_value ";"          { $$ = NODE(State, @$, false, $1, $2, $3); }
| "output" type ID opt_value ";" { $$ = NODE(State, @$, true, $2, $3, $4); }
;
methods:
  %empty              { $$ = (AstList){0}; }
| methods method      { $$ = list_add(parser, $1, $2); }
;
method:
  method_word block opt_semi
    { $$ = NODE(Method, @$, $1.kind, $1.name, $2); }
| method_word error SKIPPED { $$ = NULL; yyerrok; }
;
method_word:
  "start"             { $$ = METHOD(START, $1); }
| "update"            { $$ = METHOD(UPDATE, $1); }
| "stabilize"         { $$ = METHOD(STABILIZE, $1); }
;

/* The creation of the first strands. */

creation:
  creation_kind "{" expr "|" iterators "}" opt_semi
    { $$ = NODE(Creation, @$, $1, $3, $5); }
| "initially" "[" expr "|" all_bounds "]" ";"
    { $$ = NODE(Creation, @$, true, $3, $5); }
| "initially" "{" expr "|" all_bounds "}" ";"
    { $$ = NODE(Creation, @$, false, $3, $5); }
| creation_kind error SKIPPED { $$ = NULL; yyerrok; }
| "initially" error SKIPPED   { $$ = NULL; yyerrok; }
;
creation_kind:
  "create_array"        { $$ = true; }
| "create_collection"   { $$ = false; }
;
iterators:
  iterator                { $$ = list_of(parser, $1); }
| iterators "," iterator  { $$ = list_add(parser, $1, $3); }
;
iterator:
  ID "in" expr            { $$ = NODE(Iterator, @$, $1, $3); }
;
all_bounds:
  bounds                  { $$ = list_of(parser, $1); }
| all_bounds "," bounds   { $$ = list_add(parser, $1, $3); }
;
bounds:
  ID "in" expr BOUNDS expr
    { $$ = NODE(Iterator, @$, $1, NODE(Range, span_join(@3, @5), $3, $4, $5)); }
;

/* Statements. */

block:
  "{" stmts "}"         { $$ = NODE(Block, @$, $2); }
;
stmts:
  %empty                { $$ = (AstList){0}; }
| stmts stmt            { $$ = list_add(parser, $1, $2); }
| stmts error SKIPPED   { yyerrok; }
;
stmt:
  block
| simple_stmt
;
simple_stmt:
  var_decl
| ID assign_op expr ";"             { $$ = NODE(Assign, @$, $1, $2, $3); }
| "if" "(" expr ")" stmt %prec THEN { $$ = NODE(If, @$, $3, $5, NULL); }
| "if" "(" expr ")" stmt "else" stmt
    { $$ = NODE(If, @$, $3, $5, $7); }
| "foreach" "(" type iterator ")" foreach_body
    { $$ = NODE(Foreach, @$, $3, $4, $6); }
| "new" ID "(" opt_args ")" ";"     { $$ = NODE(New, @$, $2, $4); }
| "print" "(" args ")" ";"          { $$ = NODE(Print, @$, $3); }
| "print" "(" ")" ";"
    { $$ = NODE(Print, @$, (AstList){0}); FORM(@$, EMPTY_PRINT); }
| "return" expr ";"                 { $$ = NODE(Return, @$, $2); }
| "stabilize" ";"                   { $$ = LEAF(Stabilize, @$); }
| "die" ";"                         { $$ = LEAF(Die, @$); }
| "continue" ";"                    { $$ = LEAF(Continue, @$); }
;
assign_op: "=" | "+=" | "-=" | "*=" | "/=" | "%=" ;
foreach_body:
  block
| simple_stmt           { FORM(@1, LOOSE_BODY); }
;
opt_args:
  %empty                { $$ = (AstList){0}; }
| args
;
args:
  expr                  { $$ = list_of(parser, $1); }
| args "," expr         { $$ = list_add(parser, $1, $3); }
;

/* Types. */

type:
  seq_type
| seq_type "[" "]"      { $$ = NODE(TypeSeq, @$, $1, NULL); FORM(@$, BRACKET_DYNAMIC); }
| seq_type "{" "}"      { $$ = NODE(TypeSeq, @$, $1, NULL); FORM(@$, BRACE_DYNAMIC); }
| "image" "(" dim ")" shape
    { $$ = NODE(TypeImage, @$, $3, $5); }
| "field" "#" int "(" dim ")" shape
    { $$ = NODE(TypeField, @$, $3, $5, $7); }
| "field" "(" dim ")" shape
    { $$ = NODE(TypeField, @$, NULL, $3, $5); FORM(@$, ANY_CONTINUITY); }
| "ofield" "#" int "(" dims ")" shape
    { $$ = NODE(TypeOfield, @$, $3, $5, $7); }
| "kernel" "#" int
    { $$ = NODE(TypeKernel, @$, $3); }
;
seq_type:
  prim_type
| seq_type "[" dim "]"  { $$ = NODE(TypeSeq, @$, $1, $3); FORM(@$, BRACKET_SEQ); }
| seq_type "{" dim "}"  { $$ = NODE(TypeSeq, @$, $1, $3); FORM(@$, BRACE_SEQ); }
;
prim_type:
  basic_type            { $$ = NODE(TypeBasic, @$, $1); }
| "tensor" shape        { $$ = NODE(TypeTensor, @$, $2); }
| ID                    { $$ = NODE(TypeNamed, @$, $1); }
;
basic_type:
  "bool" | "int" | "real" | "string" | "vec2" | "vec3" | "vec4" | "mat2" | "mat3" | "mat4"
;
shape:
  "[" opt_dims "]"      { $$ = NODE(Shape, @$, $2); }
;
opt_dims:
  %empty                { $$ = (AstList){0}; }
| dims
;
dims:
  dim                   { $$ = list_of(parser, $1); }
| dims "," dim          { $$ = list_add(parser, $1, $3); }
;
dim:
  expr                  { $$ = form_dim(parser, $1); }
;

/* Expressions, loosest binding first. */

expr:
  range_expr
| range_expr "if" expr "else" expr { $$ = NODE(Cond, @$, $1, $3, $5); }
;
range_expr:
  or_expr
| or_expr ".." or_expr             { $$ = NODE(Range, @$, $1, $2, $3); }
;
or_expr:
  and_expr
| and_expr "||" or_expr            { $$ = NODE(Or, @$, $1, $2, $3); }
;
and_expr:
  cmp_expr
| cmp_expr "&&" and_expr           { $$ = NODE(And, @$, $1, $2, $3); }
;
cmp_expr:
  add_expr
| cmp_expr cmp_op add_expr         { $$ = NODE(Binary, @$, $1, $2, $3); }
;
cmp_op: "<" | "<=" | "==" | "!=" | ">=" | ">" ;

add_expr:
  mul_expr
| add_expr add_op mul_expr         { $$ = NODE(Binary, @$, $1, $2, $3); }
;
add_op: "+" | "-" | "@" ;

mul_expr:
  compose_expr
| mul_expr mul_op compose_expr     { $$ = NODE(Binary, @$, $1, $2, $3); }
;
mul_op: "*" | "/" | "%" | "⊛" | "•" | "×" | "⊗" | ":" ;

compose_expr:
  prefix_expr
| compose_expr "∘" prefix_expr
    { $$ = NODE(Binary, @$, $1, $2, $3); if (parser->has_directive) FORM(@2, COMPOSE); }
;
prefix_expr:
  power_expr
| prefix_op prefix_expr            { $$ = NODE(Unary, @$, $1, $2); }
;
prefix_op: "-" | "!" ;

power_expr:
  suffix_expr
| suffix_expr "^" power_expr       { $$ = NODE(Binary, @$, $1, $2, $3); }
;

/* base and operand only tell which forms may take another suffix. */
suffix_expr:
  diff_expr
| applied
| brace_call
| special
| "nan"                 { $$ = NODE(Nan, @$, NULL); }
| "nan" shape           { $$ = NODE(Nan, @$, $2); }
;
applied:
  operand "(" opt_args ")"  { $$ = NODE(Call, @$, $1, $3); }
| operand "[" indices "]"   { $$ = NODE(Index, @$, $1, $3); }
| operand "." ID            { $$ = NODE(Select, @$, $1, $3); }
| diff_expr brace_index     { $$ = NODE(Index, @$, $1, $2); FORM(@2, BRACE_INDEX); }
| base brace_index          { $$ = NODE(Index, @$, $1, $2); FORM(@2, BRACE_INDEX); }
| base brace_arg
    { $$ = NODE(Call, @$, $1, list_of(parser, $2)); FORM(@2, CALL_SUFFIX); }
;
operand:
  diff_expr
| base
;
base:
  applied
| brace_call            { FORM(@1, CALL_SUFFIX); }
| special               { FORM(@1, ATOM_SUFFIX); }
;
brace_call:
  diff_expr brace_arg   { $$ = NODE(Call, @$, $1, list_of(parser, $2)); }
;
brace_arg:
  "{" expr "|" iterator "}"  { $$ = NODE(Comprehend, @$, $2, $4); }
;
brace_index:
  "{" expr "}"          { $$ = list_of(parser, $2); }
;
indices:
  index                 { $$ = list_of(parser, $1); }
| indices "," index     { $$ = list_add(parser, $1, $3); }
;
index:
  expr
| ":"                   { $$ = LEAF(Whole, @$); }
;
special:
  "real" "(" expr ")"            { $$ = NODE(ToReal, @$, $3); }
| "load_image" "(" expr ")"      { $$ = NODE(LoadImage, @$, $3); }
| "load_sequence" "(" expr ")"   { $$ = NODE(LoadSeq, @$, $3); }
| "image" "(" expr ")"
    { $$ = NODE(LoadImage, @$, form_file(parser, $3)); FORM(@$, IMAGE_LOAD); }
| "load" "(" expr ")"            { $$ = NODE(LoadSeq, @$, form_file(parser, $3)); }
| "identity" "[" dim "]"         { $$ = NODE(Identity, @$, $3); }
| "zeros" shape                  { $$ = NODE(Zeros, @$, $2); }
;
diff_expr:
  atom
| diff_op diff_expr     { $$ = NODE(Unary, @$, $1, $2); }
| diff_op special       { $$ = NODE(Unary, @$, $1, $2); }
;
diff_op: "∇" | "∇⊗" | "∇×" | "∇•" ;

atom:
  ID                    { $$ = NODE(Id, @$, $1); }
| ID "#" int            { $$ = NODE(KernelAs, @$, $1, $3); FORM(@$, KERNEL_AS); }
| int
| REAL                  { $$ = NODE(Real, @$, $1.name); }
| string
| "true"                { $$ = NODE(Bool, @$, true); }
| "false"               { $$ = NODE(Bool, @$, false); }
| "(" expr ")"          { $$ = $2; }
| "|" expr "|"          { $$ = NODE(Norm, @$, $2); }
| "[" args "]"          { $$ = NODE(Tensor, @$, $2); }
| "{" "}"               { $$ = NODE(Sequence, @$, (AstList){0}); }
| "{" args "}"          { $$ = NODE(Sequence, @$, $2); }
| brace_arg             { FORM(@1, COMPREHENSION); }
;
int:    INT             { $$ = int_node(parser, $1); } ;
string: STRING          { $$ = NODE(String, @$, $1.name); } ;

%%

static int grammar_lex(GRAMMAR_STYPE *value, Span *span, Parser *parser) {
  Token token = stream_next(parser);
  value->ident = token.ident;
  *span = token.ident.span;
  return token.id;
}

static int yyreport_syntax_error(const yypcontext_t *context, Parser *parser) {
  if (!report_is_due(parser)) return 0;
  yysymbol_kind_t symbols[YYNTOKENS];
  bool expected[YYNTOKENS] = {false};
  int n_symbols = yypcontext_expected_tokens(context, symbols, YYNTOKENS);
  for (uint32_t i = 0; i < n_token_rows; i++)
    for (int k = 0; k < n_symbols; k++)
      if (symbols[k] == YYTRANSLATE(token_rows[i].id)) expected[i] = true;
  report_unexpected(parser, expected);
  return 0;
}

/* Bison calls this when its stack is full; syntax errors go to yyreport_syntax_error. */
static void grammar_error(const Span *span, Parser *parser, const char *text) {
  (void)text;
  report_depth(parser, *span);
}
