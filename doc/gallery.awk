# gallery.awk: doc/gallery.md from the README.md of each example, up to its table of inputs, and that of
# the notebooks; those without a picture are left out.
#   awk -f doc/gallery.awk examples/sieve/README.md ... doc/notebooks/README.md > doc/gallery.md
BEGIN {
  print "# Gallery\n"
  print "What the programs in `examples/` draw, and how. The commands are run in a folder of their own, after"
  print "`./dev demo`; `./dev gallery` runs them all and writes this page.\n"
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
