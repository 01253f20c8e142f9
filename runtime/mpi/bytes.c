/* bytes.c: the file DDR_MPI_LIBRARY, the library of process.c, byte by byte.
 *
 * C17 cannot include a file of bytes; the assembler can.
 */
#include "load.h"

__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".globl mpi_library_begin, mpi_library_end\n"
        ".hidden mpi_library_begin, mpi_library_end\n"
        "mpi_library_begin:\n"
        ".incbin \"" DDR_MPI_LIBRARY "\"\n"
        "mpi_library_end:\n"
        ".byte 0\n"
        ".popsection\n");
