/* forms.c: the rows of forms.def: transforms by name, and one function for each. */
#include <string.h>

#include "runtime/transform/transform.h"

ddr_operand ddr_operand_view(const ddr_ndview *view) { return (ddr_operand){.view = view}; }

ddr_operand ddr_operand_number(ddr_number number) { return (ddr_operand){.number = number}; }

static const ddr_transform_form forms[] = {
#define FORM(name, transform, operands, meaning)                                                   \
  {#name, DDR_TRANSFORM_##transform, DDR_OPERANDS_##operands, meaning},
#include "runtime/array/forms.def"
};

enum { N_FORMS = sizeof forms / sizeof *forms };

const ddr_transform_form *ddr_transform_forms(int *n) {
  if (n) *n = N_FORMS;
  return forms;
}

const ddr_transform_form *ddr_transform_find(const char *name) {
  for (int k = 0; name && k < N_FORMS; k++) {
    if (strcmp(forms[k].name, name) == 0) return &forms[k];
  }
  return NULL;
}

/* --- operands --------------------------------------------------------------------------------- */

/* The order of arrays and numbers among the operands; T is a number after a bound of 0. */
static const char *pattern_of(ddr_operands operands) {
  if ((unsigned)operands > DDR_OPERANDS_IN_V_S) return "";
  switch (operands) {
  case DDR_OPERANDS_V: return "V";
  case DDR_OPERANDS_S: return "S";
  case DDR_OPERANDS_V_V:
  case DDR_OPERANDS_IN_V_V: return "VV";
  case DDR_OPERANDS_V_S:
  case DDR_OPERANDS_IN_V_S: return "VS";
  case DDR_OPERANDS_S_V: return "SV";
  case DDR_OPERANDS_V_S_S: return "VSS";
  case DDR_OPERANDS_V_TOP: return "VT";
  case DDR_OPERANDS_S_V_S_V: break;
  }
  return "SVSV";
}

int ddr_operands_n_views(ddr_operands operands) {
  int n = 0;
  for (const char *at = pattern_of(operands); *at; at++) n += *at == 'V';
  return n;
}

int ddr_operands_n_numbers(ddr_operands operands) {
  return (int)strlen(pattern_of(operands)) - ddr_operands_n_views(operands);
}

bool ddr_operands_are_in_place(ddr_operands operands) {
  return operands == DDR_OPERANDS_IN_V_V || operands == DDR_OPERANDS_IN_V_S;
}

/* Sets the operands of a form in their order; returns their number. */
static int set_operands(ddr_operands pattern, const ddr_ndview *const *views,
                        const ddr_number *numbers, ddr_operand *operands) {
  int n = 0;
  for (const char *at = pattern_of(pattern); *at; at++) {
    if (*at == 'T') operands[n++] = ddr_operand_number(ddr_number_zero(numbers->type));
    operands[n++] = *at == 'V' ? ddr_operand_view(*views++) : ddr_operand_number(*numbers++);
  }
  return n;
}

ddr_array_status ddr_transform_call(const ddr_transform_form *form, const ddr_ndview *views,
                                    const ddr_number *numbers, const ddr_ndview *out, int n_threads,
                                    ddr_ndview *made) {
  DDR_NEED(form);
  if (ddr_operands_n_views(form->operands) > 0) DDR_NEED(views);
  if (ddr_operands_n_numbers(form->operands) > 0) DDR_NEED(numbers);
  ddr_operand operands[DDR_MAX_OPERANDS];
  const ddr_ndview *const pointers[] = {views, views ? views + 1 : NULL};
  const int n = set_operands(form->operands, pointers, numbers, operands);
  if (ddr_operands_are_in_place(form->operands)) out = views;
  if (out) return ddr_transform_apply(form->transform, n, operands, out, n_threads);
  return ddr_transform_make(form->transform, n, operands, n_threads, made);
}

/* --- one function per form -------------------------------------------------------------------- */

static ddr_array_status apply(const ddr_transform_form *form, const ddr_ndview *const *given,
                              const ddr_number *numbers, int n_threads) {
  ddr_operand operands[DDR_MAX_OPERANDS];
  for (int k = 0; k < 3; k++) DDR_NEED(given[k]);
  const int n = set_operands(form->operands, given, numbers, operands);
  return ddr_transform_apply(form->transform, n, operands, given[2], n_threads);
}

enum {
#define FORM(name, ...) FORM_##name,
#include "runtime/array/forms.def"
};

#define BODY(name, first, second, result)                                                          \
  const ddr_ndview *const given[] = {first, second, result};                                       \
  return apply(&forms[FORM_##name], given, numbers, n_threads);
#define BODY_V(name)                                                                               \
  const ddr_number *numbers = NULL;                                                                \
  BODY(name, x, x, out)
#define BODY_S(name)                                                                               \
  const ddr_number numbers[1] = {a};                                                               \
  BODY(name, out, out, out)
#define BODY_V_V(name)                                                                             \
  const ddr_number *numbers = NULL;                                                                \
  BODY(name, x, y, out)
#define BODY_V_S(name)                                                                             \
  const ddr_number numbers[1] = {a};                                                               \
  BODY(name, x, x, out)
#define BODY_S_V(name)                                                                             \
  const ddr_number numbers[1] = {a};                                                               \
  BODY(name, x, x, out)
#define BODY_V_S_S(name)                                                                           \
  const ddr_number numbers[2] = {a, b};                                                            \
  BODY(name, x, x, out)
#define BODY_V_TOP(name)                                                                           \
  const ddr_number numbers[1] = {a};                                                               \
  BODY(name, x, x, out)
#define BODY_S_V_S_V(name)                                                                         \
  const ddr_number numbers[2] = {a, b};                                                            \
  BODY(name, x, y, out)
#define BODY_IN_V_V(name)                                                                          \
  const ddr_number *numbers = NULL;                                                                \
  BODY(name, x, y, x)
#define BODY_IN_V_S(name)                                                                          \
  const ddr_number numbers[1] = {a};                                                               \
  BODY(name, x, x, x)

#define FORM(name, transform, operands, meaning)                                                   \
  ddr_array_status ddr_transform_##name(DDR_FORM_##operands) { BODY_##operands(name) }
#include "runtime/array/forms.def"
