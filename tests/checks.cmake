# DDR_PYTHON_CHECKS: what runs a test in Python that imports checks.py; DDR_PYTHON is empty without Python.
find_program(DDR_PYTHON NAMES python3)
set(DDR_PYTHON_CHECKS ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_SOURCE_DIR}/tests PYTHONDONTWRITEBYTECODE=1
  ${DDR_PYTHON})
