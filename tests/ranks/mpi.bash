# What tests ask of both MPIs: to start ranks for anybody, to say nothing of a machine that shows no /sys, and to load and
# look for nothing but what ranks of one machine need: neither its processors, caches and devices nor networks, which
# takes two fifths of the time of a short run.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_HIDE_ERRORS=2 UCX_LOG_LEVEL=fatal HWLOC_COMPONENTS=no_os,stop
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_coll=basic,self,libnbc
