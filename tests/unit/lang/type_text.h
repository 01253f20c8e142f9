/* Types from text, for the tests of lang. */
#pragma once

#include "frontend/lang/type.h"
#include "tests/unit/test.h"

static Cx *cx;

static const Type *ty(const char *text) {
  const char *at = text;
  const Type *found = type_parse(cx, &at);
  CHECK(found != NULL && *at == '\0');
  return found;
}
