# The blocks of a document as steps, for run.sh: awk -v OUT=folder -f blocks.awk DOCUMENT
#
#   ```LANGUAGE NAME        becomes the file NAME: a program, a script, data
#   ```sh                   commands; all must succeed, or the last fail as `output` says
#   ```output [STATUS]      what the commands above printed, and what they ended with unless it is 0;
#                           a line ... stands for any lines
#   ```console              $ COMMAND and what it prints; [STATUS] is its last line unless it is 0
#   ```diderot              a whole program that has no errors and no warnings; it is compiled, and runs 100 steps where
#                           it needs no files
#   ```diderot globals      what stands above a strand
#   ```diderot statements   what stands in an update method; i is an int, out a real output
#   ```ir OPTION...         part of what `diderotc OPTION... PROGRAM` prints, the last program shown
#   ```text unchecked       what cannot be tried
#
# Nothing else is a block; indented code is none. Step N is OUT/N.sh with OUT/N.want, or OUT/N.file;
# OUT/steps has a line for each: N, LINE, STATUS, NAME of the file.
BEGIN { CHECK = "diderotc --check --warnings=error --no-warning=unused --no-warning=no-proxy --no-warning=hides" }

function fail(why) {
  print FILENAME ":" FNR ": " why > "/dev/stderr"
  n_wrong++
}

function new_step() { status[++n] = 0; line[n] = FNR; is_wanted = 0 }

function new_file(name) {
  new_step()
  names[n] = name
  target = OUT "/" n ".file"
  printf "" > target
}

function new_commands() {
  new_step()
  target = OUT "/" n ".sh"
  printf "" > target
}

function new_want() {
  target = OUT "/" n ".want"
  printf "" > target
  is_wanted = 1
}

# A part of a program becomes one, with its lines where they are in the document.
function new_program(kind,   padding) {
  new_file(FNR ".diderot")
  padding = FNR
  is_first = kind == ""
  if (kind == "") return
  print "#version 2.0" > target
  if (kind == "statements") {
    print "strand s (int i) { output real out = i; update {" > target
    padding--
  }
  while (--padding > 0) print "" > target
}

function end_program(kind,   file) {
  if (kind == "statements") print "stabilize; } }" > target
  if (kind == "globals") print "strand s (int i) { output real out = i; update { stabilize; } }" > target
  if (kind != "") print "create_array { s(i) | i in 0..9 }" > target
  file = names[n]
  new_commands()
  line[n] = line[n - 1]
  print CHECK " " file > target
  print "diderotc --exec --warnings=none -o shown " file > target
  print "./shown -l 100 >shown.txt 2>&1 || { grep -qE 'input [^=]*;|load_' " file "; } || { cat shown.txt; exit 1; }" > target
  text = text "\n" file
}

language == "" && /^```./ {
  language = substr($1, 4)
  argument = $0
  sub(/^[^ ]+ */, "", argument)
  if (language == "sh" && argument == "") new_commands()
  else if (language == "output" && argument ~ /^[0-9]*$/) {
    if (n == 0 || names[n] != "" || is_wanted) fail("output of no commands")
    else {
      status[n] = argument + 0
      new_want()
    }
  }
  else if (language == "console" && argument == "") target = ""
  else if (language == "diderot" && argument ~ /^(globals|statements)?$/) new_program(argument)
  else if (language == "ir" && argument ~ /^-/) {
    if (program == "") fail("no program to take this from")
    new_commands()
    print "diderotc " argument " " program > target
    text = text "\n" program
    new_want()
    print "..." > target
  }
  else if (language == "text" && argument == "unchecked") target = ""
  else if (argument ~ /^[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+$/) {
    new_file(argument)
    if (language == "diderot") program = argument
  }
  else fail("nothing tries a block '" substr($0, 4) "'")
  next
}
language == "" && /^```$/ { fail("a block of no language") ; language = "text"; next }
language == "" && /^    [^ ]/ && before == "" { fail("indented code is not tried: use a block") }
language == "" { before = $0; next }

/^```$/ {
  if (language == "diderot" && argument !~ /\./) end_program(argument)
  if (language == "ir" && argument ~ /^-/) print "..." > target
  target = language = before = ""
  next
}
language == "console" && /^\$ / {
  new_commands()
  print substr($0, 3) > target
  text = text "\n" $0
  new_want()
  next
}
language == "console" && /^\[[0-9]+\]$/ { status[n] = substr($0, 2) + 0; next }
language == "console" && target == "" { fail("output of no command") ; next }
target != "" {
  print > target
  text = text "\n" $0
  if (is_first) { # the version line stays the first
    for (padding = FNR; padding > 1; padding--) print "" > target
    is_first = 0
  }
}

END {
  if (language != "") fail("the last block does not end")
  for (k = 1; k <= n; k++) {
    print k, line[k], status[k], names[k] > (OUT "/steps")
    if (names[k] != "" && names[k] != "CMakeLists.txt" && !index(text, names[k])) {
      FNR = line[k]
      fail("nothing uses " names[k])
    }
  }
  if (n == 0) printf "" > (OUT "/steps")
  exit n_wrong > 0
}
