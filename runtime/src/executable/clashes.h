/* clashes.h: whether a run would write one file twice, or one that it also reads.
 *
 * Read next: clashes.c.
 */
#pragma once

#include "options.h"

/* Before any file is touched: an error if two of the files that the settings name, or by default
 * have, are one and one of them would be written.  Names that do not exist yet are told apart by
 * their folder, what exists by what it is; devices and pipes take everything.
 * Files that the program itself names (load_image) and what headers refer to are not looked at. */
ddr_status ddr_clashes_check(ddr_world *world, const ddr_settings *settings);
