/* What a token can begin or be: the roles column of tokens.def, whose rows leave out the prefix. */
#pragma once

enum {
  ROLE_NONE = 0,
  ROLE_EXPR = 1,
  ROLE_TYPE = 2,
  ROLE_STMT = 4,
  ROLE_DECL = 8,
  ROLE_INFIX = 16,
  ROLE_SUFFIX = 32,
  ROLE_ASSIGN = 64,
  ROLE_PART = 128
};
