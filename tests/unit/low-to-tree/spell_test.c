/* Names: source-like, unique, never reserved by C or the runtime. */
#include "ir/low-to-tree/spell.h"

#include "tests/unit/test.h"

static Cx *cx;

static void greek_and_primes_are_spelled_out(void) {
  CHECK_STR(spell_ascii(cx, "λ"), "lambda");
  CHECK_STR(spell_ascii(cx, "phi'"), "phi_prime");
  CHECK_STR(spell_ascii(cx, "φ1''"), "phi1_prime_prime");
  CHECK_STR(spell_ascii(cx, "ω_σ"), "omega_sigma");
  CHECK_STR(spell_ascii(cx, "stepMax"), "stepMax");
}

static void names_are_unique_in_both_scopes(void) {
  Spell *outer = spell_new(cx, NULL), *inner = spell_new(cx, outer);
  CHECK_STR(spell_unique(outer, "f"), "f");
  CHECK_STR(spell_unique(inner, "f"), "f_2");
  CHECK_STR(spell_unique(inner, "f"), "f_3");
  CHECK_STR(spell_unique(inner, "f_2"), "f_2_2");
  CHECK_STR(spell_unique(inner, "a'"), "a_prime");
  CHECK_STR(spell_unique(inner, "a_prime"), "a_prime_2");
  spell_reserve(inner, "self");
  CHECK_STR(spell_unique(inner, "self"), "self_2");
}

static void shown_names_are_unique_and_may_be_words_of_c(void) {
  Spell *spell = spell_new(cx, NULL);
  CHECK_STR(spell_shown(spell, "while"), "while");
  spell_reserve(spell, "a_prime");
  CHECK_STR(spell_shown(spell, "a'"), "a_prime_2");
  CHECK_STR(spell_shown(spell, "λ"), "lambda");
  CHECK_STR(spell_shown(spell, "lambda"), "lambda_2");
}

static void words_of_c_and_of_the_runtime_are_avoided(void) {
  static const char *const rows[][2] = {{"while", "my_while"}, {"register", "my_register"},
                                        {"NULL", "my_NULL"},   {"ddr_max", "my_ddr_max"},
                                        {"DDR_X", "my_DDR_X"}, {"unix", "my_unix"},
                                        {"M_PI", "my_M_PI"},   {"INT32_MAX", "my_INT32_MAX"},
                                        {"1st", "v1st"},       {"whiles", "whiles"},
                                        {"ddrx", "ddrx"},      {"gamma", "gamma"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    Spell *spell = spell_new(cx, NULL);
    CHECK_STR(spell_unique(spell, rows[i][0]), rows[i][1]);
  }
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(greek_and_primes_are_spelled_out);
  RUN(names_are_unique_in_both_scopes);
  RUN(shown_names_are_unique_and_may_be_words_of_c);
  RUN(words_of_c_and_of_the_runtime_are_avoided);
  cx_free(cx);
  return test_result();
}
