/* Running the C compiler: it is found, its absence is one clear line, and failures leave no
 * files. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend-c/target_c.h"
#include "frontend/base/file.h"
#include "frontend/base/text.h"
#include "tests/unit/test.h"

static Cx *cx;
static char folder[] = "/tmp/ddr-cc-XXXXXX";

static const char *in_folder(const char *name) {
  return text_format(cx->arena, "%s/%s", folder, name);
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static const char *build_for(const BuildVariant *variants, const char *text, const char *output) {
  static const char *const link_args[] = {"-lm", NULL};
  BuildJob job = {.text = text,
                  .variants = variants,
                  .executable = output,
                  .object = in_folder("kept.o"),
                  .source = in_folder("kept.c"),
                  .runtime_library = in_folder("empty.c"),
                  .link_args = link_args};
  FILE *empty = fopen(job.runtime_library, "w");
  if (CHECK(empty != NULL)) fclose(empty);
  return target_c.build(cx, &job);
}

static const char *build(const char *text, const char *output) {
  return build_for(NULL, text, output);
}

static void a_program_is_built_and_kept(void) {
  const char *output = in_folder("it; echo $HOME"); /* no shell ever sees this name */
  CHECK(build("int main(void) { return 42; }\n", output) == NULL);
  CHECK(exists(output) && exists(in_folder("kept.c")) && exists(in_folder("kept.o")));
}

static void a_missing_compiler_is_one_line(void) {
  setenv("DIDEROT_CC", "no-such-compiler-here", 1);
  const char *output = in_folder("none");
  CHECK_STR(build("int main(void) { return 0; }\n", output),
            "cannot run the C compiler 'no-such-compiler-here': No such file or directory");
  CHECK(!exists(output));
  unsetenv("DIDEROT_CC");
}

/* The first of cc, clang and gcc in $PATH; if there is none, the message says what to do. */
static void usual_compilers_are_looked_for(void) {
  const char *script = in_folder("clang");
  const char *before = text_format(cx->arena, "%s", getenv("PATH"));
  setenv("PATH", folder, 1);
  CHECK_STR(build("", in_folder("none")),
            "there is no C compiler (cc, clang, gcc): install one, or name one in DIDEROT_CC "
            "(with pip: 'diderot[cc]' has one)");
  CHECK(!file_write(cx->arena, script, "#!/bin/sh\nexit 3\n") && !chmod(script, S_IRWXU));
  CHECK_STR(build("", in_folder("none")), "the C compiler 'clang' failed");
  setenv("PATH", text_format(cx->arena, "/none::%s", folder), 1);
  CHECK_STR(build("", in_folder("none")), "the C compiler 'clang' failed");
  CHECK(unlink(script) == 0);
  setenv("PATH", before, 1);
}

static void a_failure_leaves_what_was_there(void) {
  const char *output = in_folder("old");
  CHECK(build("int main(void) { return 0; }\n", output) == NULL);
  CHECK_STR(build("int absent(void);\nint main(void) { return absent(); }\n", output),
            "the C compiler 'cc' failed");
  CHECK_EQ(system(output), 0);
  setenv("DIDEROT_CFLAGS", " -fsyntax-only  -DBROKEN=1 -w -include /dev/null ", 1);
  setenv("DIDEROT_CC", "false", 1);
  CHECK_STR(build("", output), "the C compiler 'false' failed");
  CHECK_EQ(system(output), 0);
  unsetenv("DIDEROT_CC");
  unsetenv("DIDEROT_CFLAGS");
}

/* If the compiler accepts other C, ours is at fault: the file is kept, and the message ends with
 * its name. */
static void refused_c_is_an_internal_error(void) {
  const char *output = in_folder("refused");
  const char *wrong = "/* ddr/lanes/gang.h */\n#include <stdio.h>\nint main(void) { return +; }\n";
  const char *told = build(wrong, output), *text = NULL;
  static const char *const begin =
      "the C compiler 'cc' refuses what diderotc made of the program, which is a fault of "
      "diderotc: please report it with '";
  if (!CHECK(told && strncmp(told, begin, strlen(begin)) == 0)) return;
  const char *kept = told + strlen(begin), *end = strchr(kept, '\'');
  CHECK_STR(end, "' (--scalar may be a way round it)");
  kept = text_format(cx->arena, "%.*s", (int)(end - kept), kept);
  CHECK(!file_read(cx->arena, kept, &text));
  CHECK_STR(text, wrong);
  CHECK(!exists(output));
  folder_remove(cx->arena, text_format(cx->arena, "%.*s", (int)(strrchr(kept, '/') - kept), kept));
}

static void a_compiler_that_makes_nothing_is_one_line(void) {
  setenv("DIDEROT_CC", "true", 1);
  CHECK_STR(build("int main(void) { return 0; }\n", in_folder("nothing")),
            "the C compiler 'true' made nothing");
  CHECK(!exists(in_folder("nothing")));
  unsetenv("DIDEROT_CC");
}

static void flags_are_passed_on(void) {
  setenv("DIDEROT_CFLAGS", "  -DANSWER=42\t-g0 ", 1);
  const char *output = in_folder("answer");
  CHECK(build("int main(void) { return ANSWER - 42; }\n", output) == NULL);
  CHECK_EQ(system(output), 0);
  unsetenv("DIDEROT_CFLAGS");
}

/* The text of a long program is known to be long: ddr/fma.h. */
static void long_programs_are_marked(void) {
  static const char *const ends[] = {
      "#if defined(DDR_LONG_TEXT)\n#error short\n#endif\nint main(void) { return 0; }\n",
      "#if !defined(DDR_LONG_TEXT)\n#error long\n#endif\nint main(void) { return 0; }\n"};
  CHECK(build(text_format(cx->arena, "%1000s\n%s", "", ends[0]), in_folder("short")) == NULL);
  CHECK(build(text_format(cx->arena, "%100000s\n%s", "", ends[1]), in_folder("long")) == NULL);
}

static void use_script(const char *text) {
  const char *script = in_folder("scripted");
  CHECK(!file_write(cx->arena, script, text) && !chmod(script, S_IRWXU));
  setenv("DIDEROT_CC", script, 1);
}

#if defined(__x86_64__)
/* Only for lanes, and only if it has such an option, a compiler is told to copy whole registers. */
static void copies_are_of_whole_registers(void) {
  static const char in_lanes[] = "/* ddr/lanes/gang.h */ int main(void) { return 0; }\n";
  static const char willing[] =
      "#!/bin/sh\ncase \" $* \" in *-mmove-max=512*\" -c \"*) : >\"$0.told\";; esac\n"
      "for word; do shift; case $word in -m*-max=512) ;; *) set -- \"$@\" \"$word\";; esac; done\n"
      "exec cc \"$@\"\n";
  static const char unwilling[] =
      "#!/bin/sh\ncase $* in *-mmove-max*) exit 1;; esac\n"
      "case $* in *-dM*) echo '#define __GNUC__ 11'; exit;; esac\nexec cc \"$@\"\n";
  const char *output = in_folder("copies"), *told = in_folder("scripted.told");
  use_script(willing);
  CHECK(build("int main(void) { return 0; }\n", output) == NULL && !exists(told));
  CHECK(build(in_lanes, output) == NULL && exists(told));
  use_script(unwilling);
  CHECK(build(in_lanes, output) == NULL);
  unsetenv("DIDEROT_CC");
}
#endif

/* Compiler releases that vectorise scalar code incorrectly are told not to; others are not. */
static void scalar_code_stays_apart(void) {
  static const char script[] =
      "#!/bin/sh\ncase $* in *-dM*) echo '#define __clang_major__ %d'; exit;; esac\n"
      "case \" $* \" in *-fno-slp-vectorize*\" -c \"*) : >\"$0.told\";; esac\n"
      "for word; do shift; case $word in -fno-slp*) ;; *) set -- \"$@\" \"$word\";; esac; done\n"
      "exec cc \"$@\"\n";
  const char *output = in_folder("apart"), *told = in_folder("scripted.told");
  char text[512];
  for (int release = 18; release <= 22; release++) {
    unlink(told);
    snprintf(text, sizeof text, script, release);
    use_script(text);
    CHECK(build("int main(void) { return 0; }\n", output) == NULL);
    CHECK_EQ(exists(told), 19 <= release && release <= 21);
  }
  unsetenv("DIDEROT_CC");
}

/* The variants form a chain: each names the next, and the first is the program. */
static void variants_are_one_program(void) {
  static const char *const two[] = {"-DDIGIT=2", "-O1", NULL}, *const three[] = {"-DDIGIT=3", NULL};
  static const char *const five[] = {"-DDIGIT=5", NULL};
  static const BuildVariant variants[] = {
      {"two", two}, {"three", three}, {"five", five}, {NULL, NULL}};
  static const char text[] =
      "#include <string.h>\n"
      "typedef struct P { const char *name; const struct P *other; int digit; } P;\n"
      "#ifdef DDR_OTHER\n"
      "extern const P DDR_OTHER;\n"
      "const P ddr_program_main = {DDR_ARCH, &DDR_OTHER, DIGIT};\n"
      "#else\n"
      "const P ddr_program_main = {DDR_ARCH, NULL, DIGIT};\n"
      "#endif\n"
      "#if DIGIT == 2\n"
      "int main(void) {\n"
      "  const P *first = &ddr_program_main, *second = first->other, *third = second->other;\n"
      "  return strcmp(first->name, \"two\") || strcmp(second->name, \"three\") ||\n"
      "         strcmp(third->name, \"five\") || third->other ||\n"
      "         100 * first->digit + 10 * second->digit + third->digit != 235;\n"
      "}\n"
      "#endif\n";
  const char *output = in_folder("variants");
  CHECK(build_for(variants, text, output) == NULL);
  CHECK_EQ(system(output), 0);
}

/* A pipe is written to by its name under /dev/fd, so that a failing test cannot remove anything. */
static void pipes_are_written_to(void) {
  int ends[2];
  char start[4] = "";
  if (!CHECK_EQ(pipe(ends), 0)) return;
  const char *output = text_format(cx->arena, "/dev/fd/%d", ends[1]);
  CHECK(build("int absent(void);\nint main(void) { return absent(); }\n", output) != NULL);
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); /* room for the whole executable at once */
  CHECK(build("int main(void) { return 0; }\n", output) == NULL);
  CHECK(read(ends[0], start, sizeof start) == sizeof start && memcmp(start, "\177ELF", 4) == 0);
  close(ends[0]);
  close(ends[1]);
}

static void a_folder_is_no_output(void) {
  const char *output = in_folder("folder");
  CHECK_EQ(mkdir(output, 0700), 0);
  CHECK_STR(build("int main(void) { return 0; }\n", output),
            text_format(cx->arena, "cannot write '%s': Is a directory", output));
}

static void an_unwritable_place_is_one_line(void) {
  const char *parent = getenv("TMPDIR");
  setenv("TMPDIR", "/no/such/folder", 1);
  CHECK_STR(build("", in_folder("x")),
            "cannot make a folder in /no/such/folder: No such file or directory");
  if (parent) setenv("TMPDIR", parent, 1);
  else unsetenv("TMPDIR");
}

int main(void) {
  cx = cx_new();
  if (!CHECK(mkdtemp(folder) != NULL)) return test_result();
  RUN(a_program_is_built_and_kept);
  RUN(a_missing_compiler_is_one_line);
  RUN(usual_compilers_are_looked_for);
  RUN(a_failure_leaves_what_was_there);
  RUN(refused_c_is_an_internal_error);
  RUN(a_compiler_that_makes_nothing_is_one_line);
  RUN(flags_are_passed_on);
  RUN(long_programs_are_marked);
#if defined(__x86_64__)
  RUN(copies_are_of_whole_registers);
#endif
  RUN(scalar_code_stays_apart);
  RUN(variants_are_one_program);
  RUN(pipes_are_written_to);
  RUN(a_folder_is_no_output);
  RUN(an_unwritable_place_is_one_line);
  CHECK_EQ(system(text_format(cx->arena, "rm -r %s", folder)), 0);
  cx_free(cx);
  return test_result();
}
