/* Target: what a back end must supply. The driver picks one; passes read its properties and never
 * name it; only the driver includes the headers of back ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "frontend/base/cx.h"

struct TreeProgram; /* ir/tree/tree.h */

/* How strands are updated. BY_DEVICE falls back to threads if there is no device; BY_RANKS uses the
 * threads, or the device, of each rank. */
typedef enum { BY_ONE_THREAD, BY_THREADS, BY_DEVICE, BY_RANKS } Workers;

/* The maker of devices that a target generates code for. */
typedef enum { DEVICE_NONE, DEVICE_CUDA, DEVICE_HIP, DEVICE_KIND_COUNT } DeviceKind;

/* What generated code depends on besides the program. The same tree and options give the same
 * bytes.
 */
typedef struct EmitOptions {
  Workers workers;                /* of the target */
  DeviceKind device;              /* of the target */
  const char *program;            /* stem of the source file, without folders */
  const char *version;            /* of the compiler: "1.2.3" */
  uint64_t identity;              /* hash of the source and the options that change results */
  const char *const *definitions; /* preprocessor symbols: "NAME VALUE", NULL-terminated; or NULL */
  bool with_line_marks;           /* #line directives that lead debuggers to the source */
  bool has_snapshots;             /* outputs can be read while the program runs */
  bool is_lockstep;               /* supersteps, even if results do not depend on them */
  bool is_scalar;                 /* one strand at a time, even if lanes are possible */
  uint32_t n_gangs;               /* that take steps in turn; 0: chosen by the back end */
  bool is_unfused;                /* all processors it is for lack fused multiply-add */
  bool is_profiled;               /* the program reports where its time goes */
  bool is_traced;                 /* the program can show what each line computes for one strand */
  bool has_device;                /* there is code for devices, too */
  /* out: how strands are updated and created, in a few words; NULL: not wanted */
  const char **update_note, **creation_note;
} EmitOptions;

/* The names of a library, and where it comes from. */
typedef struct LibraryNames {
  const char *prefix;           /* of its functions */
  const char *stem;             /* of its files, without folders */
  const char *source_file;      /* as named by the user */
  const char *command;          /* the command line of the compilation */
  const char *const *libraries; /* that clients must also link: "teem", ...; ends in NULL */
} LibraryNames;

/* The files of a library besides the generated code of the program. */
typedef struct LibraryTexts {
  const char *functions; /* what clients call; includes STEM.h */
  const char *header;    /* for clients */
  const char *json;      /* description for programs that load the library */
  const char *visible;   /* pattern of the symbols that it exports: "NAME_*" */
} LibraryTexts;

/* A kind of processors that generated code is compiled for. */
typedef struct BuildVariant {
  const char *name;        /* as in --arch */
  const char *const *args; /* of the compiler */
} BuildVariant;

/* One run of the target's compiler (cc, nvcc, hipcc). Paths are as the compiler gets them; lists
 * end in NULL; a file whose path is NULL is not made. Every file is written completely or not at
 * all, and replaces an older one. */
typedef struct BuildJob {
  const char *text;             /* what emit returned */
  const char *device_text;      /* what emit_device returned; NULL: nothing runs on devices */
  const BuildVariant *variants; /* one file has code for all; ends in one without a name; NULL: for
                                 * the processors that the compiler chooses by default */
  const LibraryTexts *library;  /* what describe returned; NULL: an executable */
  const char *executable;       /* output */
  const char *object;           /* output; that of a library includes the runtime */
  const char *source;           /* output: a copy of text */
  const char *device_source;    /* output: a copy of device_text */
  const char *shared;           /* library: output, the shared object */
  const char *functions;        /* library: output, a copy of the text of its functions */
  const char *header, *json;    /* library: outputs; header is never NULL, and its name is STEM.h */
  const char *const *compile_args; /* include folders */
  const char *runtime_library;     /* archive to link */
  const char *shared_runtime;      /* to link instead; NULL: the archive is linked */
  DeviceKind device;               /* of the target */
  const char *device_library;      /* the runtime for devices; NULL: this build has none */
  const char *device_release;      /* of the toolkit it was built with: "13.0"; NULL: unknown */
  const char *const *rank_args;    /* the runtime for several ranks; NULL: there is one rank */
  const char *const *view_args;    /* the main of diderotc view; NULL: the usual main */
  const char *device_object;       /* set by a target: device_text compiled and linked; or NULL */
  const char *const *link_args;    /* libraries that the runtime needs */
  bool is_debug;                   /* for debuggers; otherwise optimised */
  bool is_verbose;                 /* show the commands on standard error */
} BuildJob;

/* A row of --dump=memory: where something lies in memory, or a title for the rows that follow. */
typedef struct MemoryPlace {
  const char *name;
  const char *type;       /* of its elements; NULL: not shown */
  const struct Ixfun *at; /* ir/index/ixfun.h; NULL: a title */
  bool is_part;           /* of the row before */
} MemoryPlace;

typedef struct Target {
  const char *name;          /* of --target */
  const char *suffix;        /* of a file with the generated code: ".c" */
  const char *device_suffix; /* of a program with code for devices; NULL: there is none */
  const char *meaning;       /* one line for --help */
  Workers workers;
  DeviceKind device; /* DEVICE_NONE: no code for devices */
  /* The generated code of a program. */
  const char *(*emit)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options);
  /* Where the program keeps its data; ends in a row without a name. */
  const MemoryPlace *(*memory)(Cx *cx, const struct TreeProgram *program,
                               const EmitOptions *options);
  /* The code that runs on devices, for a file of its own; NULL, with the reason in *obstacle, if
   * the program cannot run on one. The function is NULL if the target has no devices. */
  const char *(*emit_device)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options,
                             const char **obstacle);
  /* The other files of a library made of the program. */
  void (*describe)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options,
                   const LibraryNames *names, LibraryTexts *texts);
  /* Returns NULL, or one line that says what failed; then older files are unchanged. Messages of
   * the target's compiler go to stderr. */
  const char *(*build)(Cx *cx, const BuildJob *job);
  /* A text that changes whenever the same code would be compiled differently: commands, version of
   * the compiler, machine. NULL, with one line in *error, if the compiler cannot be asked. */
  const char *(*identify)(Cx *cx, const BuildJob *job, const char **error);
} Target;
