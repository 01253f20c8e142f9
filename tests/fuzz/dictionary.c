/* Dictionary: words of the tables of the compiler and of ddr-array, as a dictionary for libFuzzer:
 * for programs, for IR text, and for command lines with a word on each line.
 *   words program | ir | array-tool | driver
 */
#include <ctype.h>
#include <stdbool.h>
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
#include "ir/op/ops.def"
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

static const char *const of_array_tool[] = {
#define COMMAND(id, name, names, arguments, meaning) "\n" #name "\n",
#include "tools/ddr-array/commands.def"
#define OPTION(id, name, letter, argument, group, commands, meaning) "\n--" name "\n",
#include "tools/ddr-array/options.def"
#define REDUCTION(id, name, ...) "\n" #name,
#include "runtime/array/reductions.def"
#define FORM(name, ...) "\n" #name,
#include "runtime/array/forms.def"
#define ELEMENT(id, c_type, kind, name) "\n" name,
#include "runtime/array/elements.def"
#define KERNEL(id, ...) "\n" #id,
#define PIECE(...)
#define N(a)
#define Q(a, b)
#include "frontend/lang/kernels.def"
    "\n-i\ngrey.nrrd",
    "\n-i\nspace.nrrd",
    "\n-i\nvectors.nrrd",
    "\n-i\ncomplex.nrrd",
    "\n-i\nints.nrrd",
    "\n-i\none.nrrd",
    "\n-i\n-",
    "\n-m\nmask.nrrd",
    "\n-b\ngrey.nrrd",
    "\n-x\nkernel.nrrd",
    "\n-x\nmask.nrrd",
    "\n-a\n",
    "\n-o\nr.nrrd",
    "\n-o\nr.nhdr",
    "\n-o\nr.png",
    "\n-o\nr.vtk",
    "\n-o\nr.txt",
    "\n-o\n-",
    "same",
    "full",
    "valid",
    "none",
    "clamp",
    "mirror",
    "wrap",
    "constant:",
    "direct",
    "fft",
    "auto",
    "0:1",
    "0:0:2",
    "1,0",
    "0,1,2",
    "1,1,1",
    "1/3",
    "9223372036854775807",
    "-9223372036854775808",
    "1099511627776",
    "1e308",
};

static const char *const of_driver[] = {
    "\nrun\n",
#define WORDS(words) words
#define ANY ""
#define PASSES ""
#define WARNINGS ""
#define ARCHS "native generic x86-64-v2 native,generic , native,native"
#define OPTION(id, name, letter, argument, values, audience, text) "\n--" name, values,
#include "driver/options.def"
#define PASS(id, name, ...) "\n--no-" name, "=" name,
#include "ir/pass/passes.def"
    "\n-o\nr",
    "\n-o\nr.o",
    "\n--depfile=r.d",
    "\n--DNAME=1",
    "\n--CN=2",
    "\n--target=parallel",
    "\n--target=cuda",
    "\n--namespace=n",
    "\n--no-warning=unused",
    "\nprobe.diderot",
    "\nstrands.diderot",
    "\nwrong.diderot",
    "\nhigh.ir",
    "\nmid.ir",
    "\nlow.ir",
    "\n--",
};

typedef struct Words {
  const char *kind;
  const char *const *all;
  size_t n;
} Words;
#define WORDS_OF(kind, list)                                                                       \
  { kind, list, sizeof(list) / sizeof *(list) }

static const Words dictionaries[] = {
    WORDS_OF("program", of_programs),
    WORDS_OF("ir", of_ir),
    WORDS_OF("array-tool", of_array_tool),
    WORDS_OF("driver", of_driver),
};

static void print_word(const char *word, size_t n) {
  if (n == 0) return;
  putchar('"');
  for (size_t k = 0; k < n; k++) {
    const unsigned char byte = (unsigned char)word[k];
    if (isalnum(byte)) putchar(byte);
    else printf("\\x%02X", (unsigned)byte);
  }
  puts("\"");
}

/* The values of an option are in one string, with a space between. */
static void print_values(const char *values) {
  for (size_t n; *values; values += n + (values[n] == ' ')) {
    n = strcspn(values, " ");
    print_word(values, n);
  }
}

int main(int argc, char **argv) {
  const char *kind = argc > 1 ? argv[1] : "";
  const Words *words = dictionaries;
  const size_t n = sizeof dictionaries / sizeof *dictionaries;
  for (size_t k = 0; k < n; k++)
    if (strcmp(dictionaries[k].kind, kind) == 0) words = &dictionaries[k];
  const bool has_values = strcmp(kind, "driver") == 0;
  for (size_t k = 0; k < words->n; k++) {
    if (has_values) print_values(words->all[k]);
    else print_word(words->all[k], strlen(words->all[k]));
  }
  return 0;
}
