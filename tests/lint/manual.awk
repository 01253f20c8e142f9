# Splits the examples of a manual into programs: awk -v OUT=folder -f manual.awk FILE.md
#
#   ```diderot              a whole program
#   ```diderot globals      what stands above a strand
#   ```diderot statements   what stands in an update method; i is an int, out a real output
#
# Each becomes OUT/LINE.diderot, where LINE is that of its fence, with its lines where they are in the
# manual, so that messages name them.
/^```diderot/ {
  kind = $2
  file = OUT "/" NR ".diderot"
  padding = NR
  if (kind != "") {
    print "#version 2.0" > file
    padding--
  }
  if (kind == "statements") {
    print "strand s (int i) { output real out = i; update {" > file
    padding--
  }
  is_first = kind == ""
  next
}
/^```$/ && file != "" {
  if (kind == "statements") print "stabilize; } }" > file
  if (kind == "globals") print "strand s (int i) { output real out = i; update { stabilize; } }" > file
  if (kind != "") print "create_array { s(i) | i in 0..9 }" > file
  close(file)
  n_programs++
  file = ""
}
file != "" {
  if (is_first) { # the version line stays the first
    print > file
    is_first = 0
    next
  }
  for (; padding > 0; padding--) print "" > file
  print > file
}
END { if (n_programs == 0) exit 1 }
