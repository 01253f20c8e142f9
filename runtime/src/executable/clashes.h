/* clashes.h: whether a run would write one file twice, or one that it also reads.
 *
 * Read next: clashes.c.
 */
#pragma once

#include "options.h"

/* Called before any file is opened.  An error if two files of the run are the same and one of them
 * would be written; files are those that the settings name or that have default names.  A file that
 * does not exist yet is identified by its folder and name, an existing one by device and inode;
 * devices and pipes may be written twice. Data files of headers are not checked. */
ddr_status ddr_clashes_check(ddr_world *world, const ddr_settings *settings);

/* Called when globals have their values: notes each file that the program itself names (load_image)
 * and that an output will replace whose file has its default name. Programs may do that on purpose,
 * so it is no error, and with a name from the command line it is not even noted. */
void ddr_clashes_warn(ddr_world *world, const ddr_settings *settings);
