/* bytes.c: the bytes of the file DDR_MPI_LIBRARY, which is the library of process.c.
 *
 * C17 cannot include a binary file; the assembler can.
 */
#include "load.h"

__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".globl mpi_library, mpi_library_size\n"
        ".hidden mpi_library, mpi_library_size\n"
        "mpi_library:\n"
        ".incbin \"" DDR_MPI_LIBRARY "\"\n"
        "mpi_library_end:\n"
        ".balign 8\n"
        "mpi_library_size:\n"
        ".8byte mpi_library_end - mpi_library\n"
        ".popsection\n");
