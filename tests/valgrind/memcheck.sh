#!/bin/sh
# The program $DDR_PROGRAM under valgrind: what it says and returns, but 99 when memcheck finds anything.
exec "$DDR_VALGRIND" --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all \
  --show-leak-kinds=all "$DDR_PROGRAM" "$@"
