/* Fuzz target: any bytes as IR text. What is read is printed as a text that reads back as itself;
 * what the verifier accepts goes through each pass of its level alone, and through the pipeline,
 * with the verifier after each. Next: guard.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "ir/pass/pass.h"
#include "tests/fuzz/guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Input {
  const uint8_t *data;
  size_t size;
} Input;

typedef struct Reading {
  Module *module;
  const char *text; /* printed */
} Reading;

static void read_module(Cx *cx, void *state) {
  Reading *reading = state;
  reading->module = ir_parse(cx);
  if (reading->module) reading->text = ir_print(cx, reading->module);
  else if (diag_error_count(cx) == 0) abort();
}

static void run_all(Cx *cx, void *state) { run_pipeline(cx, state, LEVEL_LOW, NULL, NULL); }

typedef struct PassRun {
  Module *module;
  PassId pass;
} PassRun;

static void run_alone(Cx *cx, void *state) {
  const PassRun *run = state;
  run_pass(cx, run->module, run->pass, NULL, NULL);
}

static void read_source(Cx *cx, const void *data, size_t size) {
  types_init(cx);
  cx->source = source_from_text(cx->arena, "fuzz.ir", data, size);
}

/* A new module for each run; NULL if the text is not valid. Reading verifies. */
static Reading read_input(Cx *cx, Input input) {
  Reading reading = {0};
  read_source(cx, input.data, input.size);
  guard(cx, read_module, &reading);
  return reading;
}

/* print(parse(print(m))) == print(m) */
static bool read_back(Input input) {
  Cx *cx = cx_new(), *again = cx_new();
  const char *text = read_input(cx, input).text;
  if (text) {
    const char *second = read_input(again, (Input){(const uint8_t *)text, strlen(text)}).text;
    if (!second || strcmp(text, second) != 0) {
      fprintf(stderr, "%s---- reads back as:\n%s", text, second ? second : "");
      diag_print_all(again, stderr, DIAG_PLAIN);
      abort();
    }
  }
  cx_free(cx);
  cx_free(again);
  return text != NULL;
}

static void run_each_pass(Input input) {
  for (uint32_t id = 0; id < PASS_COUNT; id++) {
    Cx *cx = cx_new();
    PassRun run = {read_input(cx, input).module, (PassId)id};
    if (pass_from(run.pass) & (uint32_t)run.module->level) guard(cx, run_alone, &run);
    cx_free(cx);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Input input = {data, size};
  if (!read_back(input)) return 0;
  run_each_pass(input);
  Cx *cx = cx_new();
  guard(cx, run_all, read_input(cx, input).module);
  cx_free(cx);
  return 0;
}
