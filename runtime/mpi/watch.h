/* watch.h: names a rank that is killed, where the launcher does not.
 *
 * Read next: watch.c.
 */
#pragma once

/* Returns in a new process, which is the rank from then on.  The old one waits for it, ends as it
 * has ended, and says before if that was by a signal.  To be called before there are threads. */
void go_on_watched(const char *rank);
