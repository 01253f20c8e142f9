/* Report: the messages of several programs, one after another or as one document. Each program is
 * compiled in a process of its own, so if one crashes, the messages of the others are still
 * reported and the document is complete. */
#pragma once

#include "driver/options.h"
#include "ir/target.h"

/* Both return an exit status: the greatest of all programs. */
int report_compile(const Options *options, const Target *target);
int report_usage(const Options *options, const Cx *cx); /* the document of a usage error */
