/* Spell: identifiers for generated code that look like the names in the source. Primes and Greek
 * letters are spelled out (phi' is phi_prime, λ is lambda); names that C or the runtime uses are
 * avoided.
 */
#pragma once

#include "ir/core/ir.h"

typedef struct Spell Spell; /* the names taken in one scope */

/* outer, when not NULL: its names are taken here, too. */
Spell *spell_new(Cx *cx, const Spell *outer);
void spell_reserve(Spell *spell, const char *name);
/* hint as an identifier, with the first free number if it is taken: grad, grad_2, grad_3. */
const char *spell_unique(Spell *spell, const char *hint);

/* The source name in ASCII, not yet safe in C: see spell_unique. */
const char *spell_ascii(Cx *cx, const char *name);
/* The same for options and files, or with the first free number. */
const char *spell_shown(Spell *spell, const char *name);
/* A name for a value without one, from the op that computes it. */
const char *spell_nameless(const Value *value);
