/* Colours: the legend of semantic tokens, as `initialize` gives it. */
#pragma once

#include <jansson.h>

json_t *colours_legend(void);
