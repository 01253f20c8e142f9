# Settings of both MPIs for tests: to start ranks for any user, not to complain about a machine without /sys, and to load
# only what ranks on one machine need. Not to examine processors, caches, devices and networks saves two fifths of the
# time of a short run. Open MPI keeps the sessions of a user in one folder, and fails where another run on the machine
# removes it at that moment; so scripts set $folder to one of their own.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal HWLOC_COMPONENTS=no_os,stop
export OMPI_MCA_orte_tmpdir_base=${folder:-${TMPDIR:-/tmp}}
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_coll=basic,self,libnbc
