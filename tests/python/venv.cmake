# python.venv: an environment with the packages that the others need, made once.
#   cmake -DPYTHON=... -DFOLDER=... -P venv.cmake
#
# Skipped, and they with it, where there is no package index.
cmake_minimum_required(VERSION 3.25)
set(packages pytest numpy xarray nibabel SimpleITK zarr h5py jax tifffile mypy types-Pygments ipython ipywidgets
  pygments pillow tqdm nbclient nbformat ipykernel matplotlib mpi4py)
if(EXISTS ${FOLDER}/is-complete)
  file(READ ${FOLDER}/is-complete known)
  if(known STREQUAL "${packages}")
    return()
  endif()
endif()
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${PYTHON} -m venv ${FOLDER} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT status EQUAL 0)
  file(REMOVE_RECURSE ${FOLDER})
  message("skipped: ${PYTHON} -m venv: ${out}")
  return()
endif()
execute_process(COMMAND ${FOLDER}/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 10
    --only-binary=:all: ${packages}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(NOT status EQUAL 0)
  file(REMOVE_RECURSE ${FOLDER})
  message("skipped: pip install ${packages}: ${out}")
  return()
endif()
file(WRITE ${FOLDER}/is-complete "${packages}")
