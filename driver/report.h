/* Report: the messages of several programs, or as one document. Each program is compiled in a
 * process of its own, so that the others are heard, and the document is whole, whatever becomes of
 * it.
 */
#pragma once

#include "driver/options.h"
#include "ir/target.h"

/* Both return the exit status, the greatest of all. */
int report_compile(const Options *options, const Target *target);
int report_usage(const Options *options, const Cx *cx); /* the document of a usage error */
