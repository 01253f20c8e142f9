/* Words: what the compiler's input is spelled with, from its own tables, as a dictionary of
 * libFuzzer.
 *   words program | ir
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const of_programs[] = {
#define KEYWORD(id, spelling, versions, roles, other) spelling,
#define OPERATOR(id, spelling, roles) spelling,
#define SPELLING(id, spelling) spelling,
#include "frontend/syntax/tokens.def"
#define BUILTIN(id, name, sig, lowering, text, meaning) name,
#include "frontend/lang/builtins.def"
#define KERNEL(id, ...) #id,
#define PIECE(...)
#define N(a)
#define Q(a, b)
#include "frontend/lang/kernels.def"
    "#version 1.0\n",
    "#version 2.0\n",
    "strand s (int i) { ",
    "output real x = ",
    "update { stabilize; } ",
    "create_array { s(i) | i in 0..9 }",
    "{ x | x in 0..3 }",
    ".all",
    ".active",
    "pos",
    "[2][3]",
};

static const char *const of_ir[] = {
#define OP(id, name, ...) name,
#include "ir/core/ops.def"
#define KERNEL(id, ...) #id,
#define PIECE(...)
#define N(a)
#define Q(a, b)
#include "frontend/lang/kernels.def"
#define REDUCTION(id, name, ...) name,
#include "ir/core/reductions.def"
    "ir high\n",
    "ir mid\n",
    "ir low\n",
    "func update {\n",
    "func create {\n",
    "leave<active>",
    "vec2",
    "mat3",
    "int[2]",
    "real{}",
    "row(4)",
    "addr(u8)",
    "offset",
    "image(2)[]",
    "field#1(2)[2]",
    "kernel#1",
    "merge b3",
    "jump b3(%1)",
    "%0: real = ",
    "b1():\n",
    "sum(i:2) ",
    "$0[i,j]",
    "i:2 | ",
    "delta(i,j)",
    "eps(i,j,k)",
    " orders 0 1 border clamp",
    " sampling 0",
    "4294967296",
    "-9223372036854775808",
};

static void print_word(const char *word) {
  putchar('"');
  for (const char *at = word; *at; at++) {
    const unsigned char byte = (unsigned char)*at;
    if (isalnum(byte)) putchar(byte);
    else printf("\\x%02X", (unsigned)byte);
  }
  puts("\"");
}

int main(int argc, char **argv) {
  const int is_ir = argc > 1 && strcmp(argv[1], "ir") == 0;
  const char *const *words = is_ir ? of_ir : of_programs;
  const size_t n = is_ir ? sizeof of_ir / sizeof *of_ir : sizeof of_programs / sizeof *of_programs;
  for (size_t i = 0; i < n; i++) print_word(words[i]);
  return 0;
}
