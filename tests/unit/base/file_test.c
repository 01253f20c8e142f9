/* Files that replace others atomically, and folders that are removed with their files. */
#define _XOPEN_SOURCE 700

#include "frontend/base/file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/base/text.h"
#include "tests/unit/test.h"

static Arena *a;
static const char *folder;

static const char *in_folder(const char *name) { return text_format(a, "%s/%s", folder, name); }

static const char *content(const char *path) {
  char text[64] = "";
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  const size_t len = fread(text, 1, sizeof text, file);
  fclose(file);
  return arena_strdup(a, text, len);
}

static void a_file_is_replaced_with_its_mode(void) {
  const char *from = in_folder("from"), *to = in_folder("to");
  CHECK(file_write(a, from, "new") == NULL && file_write(a, to, "older text") == NULL);
  CHECK_EQ(chmod(from, 0750), 0);
  const mode_t mask = umask(027);
  CHECK(file_install(a, from, to) == NULL);
  umask(mask);
  struct stat status;
  CHECK_STR(content(to), "new");
  CHECK(stat(to, &status) == 0 && (status.st_mode & 0777) == 0750);
  CHECK(!file_is_same(from, to) && file_is_same(to, in_folder("./to")));
}

static void a_failure_leaves_what_was_there(void) {
  const char *to = in_folder("kept");
  CHECK(file_write(a, to, "old") == NULL);
  CHECK(file_install(a, in_folder("absent"), to) != NULL);
  CHECK_STR(content(to), "old");
}

static void a_text_is_there_whole_or_not_at_all(void) {
  const char *path = in_folder("text"), *other = in_folder("link");
  CHECK(file_write_whole(a, path, "longer text") == NULL);
  CHECK_EQ(link(path, other), 0);
  CHECK(file_write_whole(a, path, "text") == NULL);
  CHECK_STR(content(path), "text");
  CHECK_STR(content(other), "longer text"); /* it was replaced, not written to */
  CHECK(file_write_whole(a, "/dev/null", "text") == NULL);
  CHECK_STR(file_write_whole(a, folder, "text"),
            text_format(a, "cannot write '%s': Is a directory", folder));
}

static void what_is_rewritten_keeps_mode_and_links(void) {
  const char *path = in_folder("old"), *other = in_folder("symbolic");
  struct stat status;
  CHECK(file_write(a, path, "old") == NULL);
  CHECK(chmod(path, 0640) == 0 && symlink("old", other) == 0);
  CHECK(file_rewrite(a, other, "new") == NULL);
  CHECK_STR(content(path), "new");
  CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
  CHECK(lstat(other, &status) == 0 && S_ISLNK(status.st_mode));
  CHECK(file_rewrite(a, in_folder("absent"), "new") != NULL);
  CHECK(file_rewrite(a, folder, "new") != NULL);
}

static void obstacles_are_told_beforehand(void) {
  CHECK(file_obstacle(a, in_folder("fresh")) == NULL);
  CHECK(file_obstacle(a, "/dev/null") == NULL);
  CHECK_STR(file_obstacle(a, folder), text_format(a, "cannot write '%s': Is a directory", folder));
  CHECK_STR(file_obstacle(a, "/no/such/x"), "cannot write '/no/such/x': No such file or directory");
  CHECK_STR(file_obstacle(a, "/dev/null/x"), "cannot write '/dev/null/x': Not a directory");
  CHECK_STR(file_obstacle(a, ""), "cannot write '': No such file or directory");
  const char *longest = in_folder(text_format(a, "%0255d", 0));
  CHECK(file_obstacle(a, longest) == NULL && file_write_whole(a, longest, "text") == NULL);
  const char *longer = in_folder(text_format(a, "%0256d", 0));
  CHECK_STR(file_obstacle(a, longer),
            text_format(a, "cannot write '%s': File name too long", longer));
}

static void a_private_folder_goes_with_its_files(void) {
  const char *error = NULL, *inner = folder_private(a, folder, &error);
  if (!CHECK(inner != NULL)) return;
  CHECK(file_write(a, text_format(a, "%s/one", inner), "1") == NULL);
  folder_remove(a, inner);
  CHECK(access(inner, F_OK) != 0);
  CHECK(folder_private(a, "/no/such", &error) == NULL);
  CHECK_STR(error, "cannot make a folder in /no/such: No such file or directory");
}

int main(void) {
  const char *error = NULL;
  a = arena_new();
  folder = folder_private(a, NULL, &error);
  if (!CHECK(folder != NULL)) return test_result();
  RUN(a_file_is_replaced_with_its_mode);
  RUN(a_failure_leaves_what_was_there);
  RUN(a_text_is_there_whole_or_not_at_all);
  RUN(what_is_rewritten_keeps_mode_and_links);
  RUN(obstacles_are_told_beforehand);
  RUN(a_private_folder_goes_with_its_files);
  folder_remove(a, folder);
  CHECK(access(folder, F_OK) != 0);
  arena_free(a);
  return test_result();
}
