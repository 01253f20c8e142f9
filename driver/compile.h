/* Compile: one source file through the whole compiler. */
#pragma once

#include "driver/options.h"
#include "ir/target.h"

/* Does what the options say with options->file, for the target. Returns the exit status: 0, or 1
 * after an error that was reported on standard error; then nothing was made. With options->is_run
 * the program replaces this process, and the function returns only if that failed. */
int compile(const Options *options, const Target *target);
