# gallery.awk: doc/gallery.md from the README.md of each example, up to its table of inputs, and that of
# the notebooks; those without a picture are left out.
#   awk -f doc/gallery.awk examples/sieve/README.md ... doc/notebooks/README.md > doc/gallery.md
BEGIN {
  print "# Gallery\n"
  print "Pictures that the programs in `examples/` draw, each with its commands. `./dev gallery` runs all of them"
  print "and writes this page. To run some by hand, first run `./dev demo`, then change to a new folder:\n"
  print "```sh\nmkdir -p build/gallery && cd build/gallery\nPATH=\"$PWD/../release:$PATH\"\n```"
}

function show() {
  sub(/\n+$/, "", text)
  if (text ~ /!\[/) print "\n" text
  text = ""
}

FNR == 1 { show(); is_over = 0; sub(/^#/, "##") }
/^\|/ { is_over = 1 }
!is_over {
  gsub(/\(\.\.\/\.\.\/doc\//, "(")
  if (FILENAME ~ /notebooks/) {
    gsub(/\]\(/, "](notebooks/")
    gsub(/notebooks\/\.\.\//, "")
  }
  text = text $0 "\n"
}
END { show() }
