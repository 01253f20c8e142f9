/* array_functions.c: the rows of the tables of functions, for programs that print them. */
#include "tools/tables/tables.h"

/* Arguments of forms are macros themselves, so they are expanded before they become a string. */
#define TEXT(x) #x
#define SECTION(title, text) put_section(title, text);
#define FUNCTION(result, name, arguments, meaning, statuses)                                       \
  put_function(TEXT(result), TEXT(name), TEXT(arguments), meaning, statuses);

void array_functions(PutSection *put_section, PutFunction *put_function) {
#include "runtime/array/functions.def"
}

#define SECTION(title, text) put_section(title, text);
#define FUNCTION(result, name, arguments, meaning, statuses)                                       \
  put_function(TEXT(result), TEXT(name), TEXT(arguments), meaning, statuses);

void array_cuda_functions(PutSection *put_section, PutFunction *put_function) {
#include "runtime/array/cuda_functions.def"
}
