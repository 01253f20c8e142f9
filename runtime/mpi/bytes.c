/* bytes.c: the file DDR_MPI_LIBRARY, the library of process.c, byte by byte.
 *
 * C17 cannot include a file of bytes; the assembler can.
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
