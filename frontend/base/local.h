/* What diag.c collects and diag_print.c, diag_json.c and diag_sarif.c print. */
#pragma once

#include "frontend/base/diag_message.h"
#include "frontend/base/json.h"
#include "frontend/base/map.h"
#include "frontend/base/vec.h"

struct DiagList {
  VEC(DiagMessage *) messages; /* errors, warnings, remarks; in the order they were reported */
  bool has_reported;           /* a message, perhaps dropped, that notes can belong to */
  DiagMessage *last;           /* takes the notes; NULL when the message was dropped */
  Map *seen;                   /* id and span of each error, as a Name */
  uint32_t n_errors, n_warnings;
  DiagPolicy policy[DIAG_COUNT]; /* of the warnings */
};

/* Adds a message as one object. */
void diag_json_add(Json *json, const Cx *cx, const DiagMessage *message);
void diag_sarif_add(Json *json, const Cx *cx, const DiagMessage *message);
