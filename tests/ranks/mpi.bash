# What tests ask of both MPIs: to start ranks for anybody, to say nothing of a machine that shows no /sys, and not to read
# the names of all PCI devices, which takes seconds with sanitizers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal HWLOC_COMPONENTS=-pci
