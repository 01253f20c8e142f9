/* What diag_sarif.c and diag_document.c know of SARIF. */
#pragma once

#include "frontend/base/diag.h"
#include "frontend/base/json.h"

bool diag_is_rule(DiagId id);         /* about programs */
bool diag_is_notification(DiagId id); /* about the run of the compiler */
/* A member {"text": text} with what SARIF would read in it escaped. */
void diag_sarif_text(Json *json, const char *key, Arena *a, const char *text);
void diag_sarif_file(Json *json, Arena *a, const char *file); /* a member "uri" */
