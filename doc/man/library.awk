# library.awk: doc/tables/library.md from the header of the library of doc/man/library.diderot, first
# for several threads, then for GPUs and for ranks: functions and the members of structs with their comments.
#   awk -f doc/man/library.awk parallel.h cuda.h mpi.h > doc/tables/library.md
BEGIN {
  print "# Library\n"
  print "The functions of a library whose namespace is `NAME`, with inputs `VALUE` (a number or an aggregate of"
  print "them), `TEXT`, `IMAGE` and `SEQUENCE`, and outputs `OUTPUT` and `ITEMS` (a dynamic sequence). Libraries for"
  print "one thread have no functions for workers. `decimate` and `prefilter` need image inputs, snapshots need"
  print "`--snapshot`, and `trace` needs `--trace`."
}

function section(title) {
  print "\n## " title "\n\n| " (is_struct ? "member" : "function") " | meaning |\n|---|---|"
}

FNR == 1 && NR != 1 { section(n_more++ == 0 ? "GPUs" : "Ranks") }

# Of what follows; of a part, when nothing does.
/^ *\/\* / {
  comment = $0
  gsub(/^ *\/\* | \*\/$/, "", comment)
  next
}
/^typedef struct .* \{$/ {
  is_struct = 1
  name = $3
  if (FNR == NR) section(name "_t")
  next
}
/^\} / { is_struct = 0 }
is_struct && FNR == NR {
  sub(/^ */, "")
  sub(/;$/, "")
  print "| `" $0 "` | " comment " |"
}
/^$/ && comment ~ /^(One run|Inputs|Outputs)/ {
  if (FNR == NR) section(comment ~ /^One/ ? "Runs" : comment ~ /^In/ ? "Inputs" : "Outputs")
  comment = ""
}
/^[A-Za-z].*\(.*\);$/ {
  sub(/;$/, "")
  if (!($0 in seen)) print "| `" $0 "` | " (comment == "" ? "likewise" : comment) " |"
  seen[$0] = 1
  comment = ""
}
