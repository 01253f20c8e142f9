/* Spell: see spell.h. Next: structure.c, which asks for all names. */
#include "ir/low-to-tree/spell.h"

#include <string.h>

#include "frontend/base/map.h"
#include "frontend/base/text.h"
#include "frontend/base/utf8.h"

struct Spell {
  Cx *cx;
  const Spell *outer;
  Map *taken; /* Name to the next number to try for it (uint32_t) */
};

Spell *spell_new(Cx *cx, const Spell *outer) {
  Spell *spell = NEW(cx->arena, Spell);
  *spell = (Spell){.cx = cx, .outer = outer, .taken = map_new(cx->arena)};
  return spell;
}

/* ---- source name to identifier --------------------------------------------------------------- */

static const char *greek_name(uint32_t code_point) {
  static const char *const names[] = {
      "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
      "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
  bool is_greek = code_point >= 0x3b1 && code_point <= 0x3c9;
  return is_greek ? names[code_point - 0x3b1] : NULL;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char *spell_ascii(Cx *cx, const char *name) {
  Text text = text_new(cx->arena);
  size_t len = strlen(name);
  for (size_t i = 0; i < len;) {
    uint32_t n_bytes;
    uint32_t code_point = utf8_decode(name + i, len - i, &n_bytes);
    if (greek_name(code_point)) text_add(&text, greek_name(code_point));
    else if (is_letter(name[i]) || is_digit(name[i])) text_add_n(&text, name + i, 1);
    else text_add(&text, name[i] == '\'' ? "_prime" : "_");
    i += n_bytes;
  }
  return text_str(&text);
}

/* ---- names that are taken from the start ----------------------------------------------------- */

/* Words of C and macros of the headers that generated code includes. Functions of those headers
 * may be hidden by locals and need no place here. */
static bool is_word_of_c(const char *name) {
  static const char *const words[] = {"auto",      "break",    "case",     "char",
                                      "const",     "continue", "default",  "do",
                                      "double",    "else",     "enum",     "extern",
                                      "float",     "for",      "goto",     "if",
                                      "inline",    "int",      "long",     "register",
                                      "restrict",  "return",   "short",    "signed",
                                      "sizeof",    "static",   "struct",   "switch",
                                      "typedef",   "union",    "unsigned", "void",
                                      "volatile",  "while",    "asm",      "typeof",
                                      "bool",      "true",     "false",    "unix",
                                      "linux",     "i386",     "NULL",     "NAN",
                                      "INFINITY",  "offsetof", "HUGE_VAL", "HUGE_VALF",
                                      "HUGE_VALL", "SIZE_MAX", "isnan",    "isinf",
                                      "isfinite",  "isnormal", "signbit",  "fpclassify",
                                      "int8_t",    "int16_t",  "int32_t",  "int64_t",
                                      "uint8_t",   "uint16_t", "uint32_t", "uint64_t",
                                      "size_t",    "float_t",  "double_t", "math_errhandling"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static bool is_claimed(const char *name) {
  static const char *const prefixes[] = {"ddr_", "DDR_", "INT", "UINT", "FP_", "M_", "MATH_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (strncmp(prefixes[i], name, strlen(prefixes[i])) == 0) return true;
  return is_word_of_c(name);
}

/* ---- unique names ---------------------------------------------------------------------------- */

static bool is_taken(const Spell *spell, const Name *name) {
  for (; spell; spell = spell->outer)
    if (map_has(spell->taken, name)) return true;
  return false;
}

static void take(Spell *spell, const Name *name) {
  uint32_t *next = NEW(spell->cx->arena, uint32_t);
  *next = 2;
  map_put(spell->taken, name, next);
}

void spell_reserve(Spell *spell, const char *name) {
  take(spell, name_from(spell->cx->names, name));
}

static const char *first_free(Spell *spell, const char *base) {
  NameTable *names = spell->cx->names;
  const Name *first = name_from(names, base), *name = first;
  if (is_taken(spell, name) && !map_has(spell->taken, name)) take(spell, name);
  uint32_t *next = map_get(spell->taken, first);
  while (is_taken(spell, name))
    name = name_from(names, text_format(spell->cx->arena, "%s_%u", base, (*next)++));
  take(spell, name);
  return name->text;
}

const char *spell_unique(Spell *spell, const char *hint) {
  Arena *arena = spell->cx->arena;
  const char *base = spell_ascii(spell->cx, hint);
  if (!is_letter(base[0])) base = text_format(arena, "v%s", base);
  if (is_claimed(base)) base = text_format(arena, "my_%s", base);
  return first_free(spell, base);
}

const char *spell_shown(Spell *spell, const char *name) {
  return first_free(spell, spell_ascii(spell->cx, name));
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const char *word_of_type(const Type *ty) {
  switch (type_kind(ty)) {
  case TY_BOOL: return "test";
  case TY_INT: return "n";
  case TY_STRING: return "text";
  case TY_ROW: return "row";
  case TY_OFFSET: return "step";
  case TY_ADDR: return "voxel";
  case TY_IMAGE: return "image";
  case TY_SEQ: return "items";
  case TY_STRAND: return "other";
  default: return "t"; /* reals; no other kind is a value of this level */
  }
}

/* Of the variable, or of the component of it, that an instruction reads. */
static const char *name_of_part(const Inst *inst, const Name *name, const Type *ty) {
  const uint32_t component = inst->attr.var.component;
  if (component == WHOLE) return name->text;
  return type_component_name(inst->fn->module->cx, ty, name->text, component);
}

static const char *name_of_global(const Value *load) {
  const Inst *inst = load->def;
  const Global *global = &inst->fn->module->globals.data[inst->attr.var.index];
  return name_of_part(inst, global->name, global->ty);
}

static const char *name_of_state(const Value *value) {
  const Inst *inst = value->def;
  const StateVar *state = &inst->fn->module->state.data[inst->attr.var.index];
  return name_of_part(inst, state->name, state->ty);
}

static const char *word_of_axis(const Value *value, const char *word, int64_t axis) {
  return text_format(value->def->fn->module->cx->arena, "%s_%c", word, "xyz"[axis]);
}

static const char *axis_word(const Value *value, const char *word) {
  return word_of_axis(value, word, value->def->attr.i);
}

/* m_xy leads from world y to index x. */
static const char *matrix_word(const Value *value) {
  const Attr *attr = &value->def->attr;
  return text_format(value->def->fn->module->cx->arena, "m_%c%c", "xyz"[attr->pair.i],
                     "xyz"[attr->pair.j]);
}

const char *spell_nameless(const Value *value) {
  if (!value->def) return word_of_type(value->ty);
  switch (value->def->op) {
  case OP_GLOBAL_LOAD: return name_of_global(value);
  case OP_STRAND_STATE: return name_of_state(value);
  case OP_SPHERE: return "near";
  case OP_NUM_STRANDS:
  case OP_NUM_ACTIVE:
  case OP_NUM_STABLE: return "count";
  case OP_IMAGE_STRIDE: return axis_word(value, "stride");
  case OP_IMAGE_STEP: return word_of_axis(value, "step", value->def->attr.pair.i);
  case OP_IMAGE_AXIS_LEN: return axis_word(value, "len");
  case OP_IMAGE_ORIGIN: return axis_word(value, "origin");
  case OP_IMAGE_MATRIX: return matrix_word(value);
  case OP_RFLOOR: return "cell";
  case OP_CORNER:
  case OP_CORNER_WITHIN:
  case OP_TAP: return "tap";
  case OP_SEQ_LEN: return "length";
  case OP_EVALS2:
  case OP_EVALS3: return "evals";
  case OP_EVECS2:
  case OP_EVECS3: return "evecs";
  case OP_CONST_ROW: return "coeff";
  case OP_ROW_DOT:
  case OP_WINDOW_DOT: return "dot";
  default: return word_of_type(value->ty); /* nothing more telling */
  }
}
