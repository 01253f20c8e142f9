# What somebody does who has installed the package: run by tests/install/clean-root.
cd "$(dirname "$0")"
diderotc --version
ddr-array --version
echo "--- an example"
cp -r /usr/share/doc/diderot/examples/heron .
diderotc run heron/heron.diderot -- -o-root heron.nrrd -o-steps steps.nrrd
ddr-array reduce mean -i heron.nrrd
diderotc --exec --shared-runtime heron/heron.diderot
heron/heron -o-root shared.nrrd -o-steps steps.nrrd
cmp heron.nrrd shared.nrrd
echo "--- manual pages"
for page in diderotc ddr-array diderot-api; do man "$page" | head -n 4; done
echo "--- pkg-config"
"$(pkg-config --variable=diderotc diderot)" --object -o heron.o heron/heron.diderot
cc -o by-pkg-config heron.o $(pkg-config --libs diderot)
./by-pkg-config -o-root other.nrrd -o-steps steps.nrrd
cmp heron.nrrd other.nrrd
echo "--- CMake"
cat >CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.25)
project(visit LANGUAGES C)
find_package(Diderot 0.1 REQUIRED)
diderot_add_executable(by-cmake heron/heron.diderot)
diderot_add_executable(by-cmake-shared heron/heron.diderot SHARED_RUNTIME)
TEXT
cmake -B build >cmake.log
cmake --build build >>cmake.log
build/by-cmake -o-root other.nrrd -o-steps steps.nrrd
cmp heron.nrrd other.nrrd
build/by-cmake-shared -o-root other.nrrd -o-steps steps.nrrd
cmp heron.nrrd other.nrrd
echo "--- Python"
diderotc --json --shared-runtime --namespace=heron heron/heron.diderot
python3 -c 'import diderot; w = diderot.Library("heron/heron.json").world(); w.run(); print("ran", w)'
