/* Json check: whether a text is one value of JSON in UTF-8, and nothing else but blanks. */
#pragma once

#include <stdbool.h>

bool json_is_value(const char *text);
