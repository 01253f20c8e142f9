/* system.c: system calls that fail as planned.
 *
 * A filter (seccomp) turns each call that system.def names into a signal if the C library makes it;
 * the handler makes the call fail, or makes it again. So stdio, Teem, zlib and libpng see the
 * errors that the system would report, and sanitizers, which call without the library, are not
 * disturbed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/faults/plan.h"

enum { OUR_MARK = 0x0fa17 }; /* the sixth argument of calls that are made again */

/* --- the call that a signal stands for -------------------------------------------------------- */

#if defined(__x86_64__)
typedef greg_t Word;
static Word *result_of(ucontext_t *context) { return &context->uc_mcontext.gregs[REG_RAX]; }
static Word argument_of(const ucontext_t *context, int k) {
  static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
  return context->uc_mcontext.gregs[registers[k]];
}
#elif defined(__aarch64__)
typedef unsigned long long Word;
static Word *result_of(ucontext_t *context) { return &context->uc_mcontext.regs[0]; }
static Word argument_of(const ucontext_t *context, int k) { return context->uc_mcontext.regs[k]; }
#else
#define DDR_NO_CONTEXT
typedef long Word;
static Word *result_of(ucontext_t *context) { return NULL; }
static Word argument_of(const ucontext_t *context, int k) { return 0; }
#endif

static const struct {
  FaultKind kind;
  int number;
} calls[] = {
#define SYSTEM_CALL(kind, name) {FAULT_##kind, __NR_##name},
#include "tests/faults/system.def"
};
enum { N_CALLS = sizeof calls / sizeof *calls };

static const int errors[] = {
#define KIND(id, name, error, ...) error,
#include "tests/faults/kinds.def"
};

static FaultKind kind_of(int number) {
  for (int k = 0; k < N_CALLS; k++) {
    if (calls[k].number == number) return calls[k].kind;
  }
  return FAULT_COUNT;
}

static long make_again(int number, const ucontext_t *context, Word third) {
  const long result = syscall(number, argument_of(context, 0), argument_of(context, 1), third,
                              argument_of(context, 3), argument_of(context, 4), (long)OUR_MARK);
  return result < 0 ? -errno : result;
}

/* Half of what is to be read or written, but something. */
static bool is_short(int number) {
  return (number == __NR_read && fault_now(FAULT_READ_SHORT)) ||
         (number == __NR_write && fault_now(FAULT_WRITE_SHORT));
}

/* 0 or the number of the error. A file is closed all the same; why something failed can be said. */
static int fault_of(int number, const ucontext_t *context) {
  const FaultKind kind = kind_of(number);
  if (kind == FAULT_WRITE && argument_of(context, 0) == STDERR_FILENO) return 0;
  if (kind == FAULT_READ && fault_now(FAULT_READ_STOP)) return EINTR;
  if (kind == FAULT_WRITE && fault_now(FAULT_WRITE_STOP)) return EINTR;
  if (!fault_now(kind)) return 0;
  if (kind == FAULT_CLOSE) make_again(number, context, argument_of(context, 2));
  return errors[kind];
}

static void obey(int signal_number, siginfo_t *info, void *data) {
  ucontext_t *context = data;
  const int number = info->si_syscall, saved = errno;
  (void)signal_number;
  const int error = fault_of(number, context);
  Word third = argument_of(context, 2);
  if (third > 1 && is_short(number)) third = (third + 1) / 2;
  *result_of(context) = (Word)(error ? -error : make_again(number, context, third));
  errno = saved;
}

/* --- the filter ------------------------------------------------------------------------------- */

typedef struct {
  uint64_t begin, end;
} Range;

/* Where the C library's code is. */
static int find_code(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  if (!strstr(object->dlpi_name, "/libc.so")) return 0;
  for (int k = 0; k < object->dlpi_phnum; k++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    const uint64_t begin = object->dlpi_addr + segment->p_vaddr;
    *(Range *)data = (Range){begin, begin + segment->p_memsz};
  }
  return 1;
}

#define OFFSET(field) (uint32_t) offsetof(struct seccomp_data, field)
#define LOAD(offset) ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset)))
#define TEST(how, value, yes, no)                                                                  \
  ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_K | (how), (uint32_t)(value), (yes), (no)))
#define RETURN(what) ((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, (what)))

/* The program's words are of 32 bits, the lower one first; the code lies in one range of 4 GiB. */
static bool install(const Range *code) {
  struct sock_filter filter[N_CALLS + 16];
  unsigned short n = 0;
  if (code->begin >> 32 != code->end >> 32) return false;
  filter[n++] = LOAD(OFFSET(args[5]));
  filter[n++] = TEST(BPF_JEQ, OUR_MARK, 5, 0);
  filter[n++] = LOAD(OFFSET(instruction_pointer) + 4);
  filter[n++] = TEST(BPF_JEQ, code->begin >> 32, 0, 3);
  filter[n++] = LOAD(OFFSET(instruction_pointer));
  filter[n++] = TEST(BPF_JGE, code->begin, 0, 1);
  filter[n++] = TEST(BPF_JGE, code->end, 0, 1);
  filter[n++] = RETURN(SECCOMP_RET_ALLOW);
  filter[n++] = LOAD(OFFSET(nr));
  for (int k = 0; k < N_CALLS; k++) {
    filter[n++] = TEST(BPF_JEQ, calls[k].number, (unsigned char)(N_CALLS - k), 0);
  }
  filter[n++] = RETURN(SECCOMP_RET_ALLOW);
  filter[n++] = RETURN(SECCOMP_RET_TRAP);
  const struct sock_fprog program = {n, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool fault_watch_system(void) {
#if defined(DDR_NO_CONTEXT)
  return false;
#else
  Range code = {0, 0};
  struct sigaction action = {.sa_sigaction = obey, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return dl_iterate_phdr(find_code, &code) == 1 && code.end > 0 &&
         sigaction(SIGSYS, &action, NULL) == 0 && install(&code);
#endif
}
