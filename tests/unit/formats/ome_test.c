/* What is read from the XML of OME-TIFF, and what is ignored. */
#include "runtime/formats/format_local.h"
#include "tests/unit/test.h"

#define HEAD "<?xml version=\"1.0\"?><OME xmlns=\"x\"><Image ID=\"Image:0\">"
#define TAIL "</Pixels></Image></OME>"

static void finds_sizes(void) {
  OmePixels ome;
  CHECK(ome_find_pixels(
      HEAD "<Pixels PhysicalSizeX=\"0.5\"\n PhysicalSizeY='250' PhysicalSizeYUnit='nm' "
           "PhysicalSizeZ=\"2e-3\" PhysicalSizeZUnit=\"mm\" SizeC=\"3\" SizeT=\"2\">" TAIL,
      &ome));
  CHECK(ome.has_spacing[0] && ome.has_spacing[1] && ome.has_spacing[2]);
  CHECK_NEAR(ome.spacing[0], 0.5, 0);
  CHECK_NEAR(ome.spacing[1], 0.25, 1e-15);
  CHECK_NEAR(ome.spacing[2], 2, 1e-15);
  CHECK(ome.n_channels == 3 && ome.n_times == 2);
}

static void ignores_invalid_lengths(void) {
  OmePixels ome;
  CHECK(ome_find_pixels(HEAD "<Pixels PhysicalSizeX=\"0\" PhysicalSizeY=\"-1\" PhysicalSizeZ=\"3\" "
                             "PhysicalSizeZUnit=\"pixel\" NotSizeC=\"7\">" TAIL,
                        &ome));
  CHECK(!ome.has_spacing[0] && !ome.has_spacing[1] && !ome.has_spacing[2]);
  CHECK(ome.n_channels == 1 && ome.n_times == 1);
}

static void is_no_ome(void) {
  OmePixels ome;
  CHECK(!ome_find_pixels("", &ome));
  CHECK(!ome_find_pixels("ImageJ=1.53\nimages=3", &ome));
  CHECK(!ome_find_pixels("<Pixels SizeC=\"2\">", &ome));
  CHECK(!ome_find_pixels("<OME><Pixels SizeC=\"2\"", &ome));
  CHECK(ome_find_pixels("<OME><Pixels>", &ome));
  CHECK(ome_find_pixels("<OME><Pixels SizeC=\">", &ome));
}

int main(void) {
  RUN(finds_sizes);
  RUN(ignores_invalid_lengths);
  RUN(is_no_ome);
  return test_result();
}
