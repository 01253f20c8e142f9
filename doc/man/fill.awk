# fill.awk: a manual page in mdoc from its text and from tables of the documents in Markdown, so that
# no option, function or variable is written down twice.
#   awk -v DOC=doc -v DATE="May 4, 2030" -v VERSION=1.2.3 -f fill.awk diderotc.1.in > diderotc.1
#
# @DATE@ and @VERSION@ are replaced; a line
#   .\" FILL kind FILE [Section]
# by the rows of the tables of DOC/FILE.md, there from the heading Section to the next:
#   options    `-o FILE`, `--output=FILE` | what it does
#   commands   `info FILE [PARTS]` | what it does
#   names      `NAME`, `OTHER` | what is called so
#   variables  the same, of the environment
#   synopsis   `type function(parameters)`, for the section SYNOPSIS
#   functions  the same with what they do, each kind once
#   members    `type member` | what it is
# or, with the kind code, by its commands, which a test executes.

function fail(text) {
  print "fill.awk: " FILENAME ":" FNR ": " text > "/dev/stderr"
  is_failed = 1
  exit 1
}

# ---- text ------------------------------------------------------------------------------------------

function escape(text) {
  gsub(/\\\|/, "|", text)
  gsub(/\\/, "\\e", text)
  gsub(/--/, "\\-\\-", text)
  gsub(/ -/, " \\-", text)
  gsub(/`-/, "`\\-", text)
  return text
}

# Text of a document as a line of a page.
function prose(text,    parts, n, i, out) {
  text = escape(text)
  gsub(/\*\*/, "", text)
  n = split(text, parts, "`")
  for (i = 1; i <= n; i++) out = out (i % 2 ? parts[i] : "\\fB" parts[i] "\\fR")
  while (match(out, /[.?!] [A-Z0-9]/)) # sentences begin lines
    out = substr(out, 1, RSTART) "\n" substr(out, RSTART + 2)
  return (out ~ /^[.']/ ? "\\&" : "") out
}

# A word as an argument of a macro, where one of a few letters could be a macro itself.
function word(text) {
  text = escape(text)
  gsub(/"/, "\\(dq", text)
  return text ~ /^[-()|=.,:;?!\[\]]|[ ]|^[A-Z][a-z]$/ ? "\"\\&" text "\"" : text
}

# ---- rows ------------------------------------------------------------------------------------------

# -o FILE, --output=FILE, --output <file>, --DNAME[=VALUE]
function option_macros(text,    name, rest) {
  if (!match(text, /^--?[A-Za-z][A-Za-z-]*/)) fail("no option: " text)
  name = substr(text, 2, RLENGTH - 1)
  rest = substr(text, RLENGTH + 1)
  if (rest == "") return "Fl " name
  if (rest ~ /^\[=/) return "Fl " name " Ns Oo = Ns Ar " word(substr(rest, 3, length(rest) - 3)) " Oc"
  if (rest ~ /^=/) return "Fl " name " Ns = Ns Ar " word(substr(rest, 2))
  gsub(/^ <?|>$/, "", rest)
  return "Fl " name " Ar " word(rest)
}

function split_key(key, parts) {
  gsub(/^ *`|` *$/, "", key)
  gsub(/\\\|/, "|", key)
  return split(key, parts, "`, `")
}

# Arguments of Fn: those between commas that stand in no parentheses.
function parameters(text,    i, depth, c, out, part) {
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    depth += (c == "(") - (c == ")")
    if (c == "," && depth == 0) {
      out = out " \"" part "\""
      part = ""
      i++
    } else part = part c
  }
  return out " \"" part "\""
}

function put_function(kind, text, meaning,    head, name, type) {
  head = text
  sub(/\(.*/, "", head)
  name = head
  sub(/.*[ *]/, "", name)
  type = substr(head, 1, length(head) - length(name))
  sub(/ $/, "", type)
  if (kind == "synopsis") {
    print ".Ft \"" type "\""
    print ".Fn " name parameters(substr(text, length(head) + 2, length(text) - length(head) - 2))
  } else if (meaning != "likewise") {
    print ".It Fn " name
    print prose(meaning)
  }
}

function put_key(kind, key,    parts, n, i, out, macro) {
  n = split_key(key, parts)
  macro = kind == "variables" ? "Ev " : kind == "members" ? "Vt " : "Cm "
  for (i = 1; i <= n; i++) {
    if (i > 1) out = out " , "
    if (kind == "options") out = out option_macros(parts[i])
    else if (kind == "commands" && match(parts[i], / .*/))
      out = out macro substr(parts[i], 1, RSTART - 1) " No " word(substr(parts[i], RSTART + 1))
    else out = out macro word(parts[i])
  }
  print ".It " out
}

function put_row(kind, line,    bar, key, meaning) {
  gsub(/^\| *| *\|$/, "", line)
  if (!match(line, /[^\\]\|/)) fail("no row: " line)
  bar = RSTART + 1
  key = substr(line, 1, bar - 1)
  meaning = substr(line, bar + 1)
  gsub(/^ +| +$/, "", key)
  gsub(/^ +| +$/, "", meaning)
  if (kind == "synopsis" || kind == "functions") {
    gsub(/`/, "", key)
    put_function(kind, key, meaning)
    return
  }
  put_key(kind, key)
  print prose(meaning)
}

# ---- tables ----------------------------------------------------------------------------------------

function fill(kind, file, section,    line, is_here, is_in_table, is_in_code, n, is_list) {
  is_list = kind != "synopsis" && kind != "code"
  is_here = section == ""
  if (is_list) print ".Bl -tag -width Ds"
  while ((getline line < file) > 0) {
    if (line ~ /^#+ / && section != "") {
      gsub(/^#+ /, "", line)
      is_here = line == section
    }
    if (!is_here) continue
    if (kind == "code") {
      if (line ~ /^```/) {
        if (is_in_code) print ".Ed"
        is_in_code = !is_in_code && line ~ /^```(sh|console)$/
        if (is_in_code) print ".Bd -literal -offset indent"
        n += is_in_code
      } else if (is_in_code) print (line ~ /^[.']/ ? "\\&" : "") escape(line)
      continue
    }
    if (line ~ /^\|-/) is_in_table = 1
    else if (line !~ /^\|/) is_in_table = 0
    else if (is_in_table) {
      put_row(kind, line)
      n++
    }
  }
  close(file)
  if (is_list) print ".El"
  if (n == 0) fail(file ": nothing of " section)
}

/^\.\\" FILL / {
  section = $5
  for (i = 6; i <= NF; i++) section = section " " $i
  fill($3, DOC "/" $4 ".md", section)
  next
}
/^\.\\"/ { next }
{
  gsub(/@DATE@/, DATE)
  gsub(/@VERSION@/, VERSION)
  print
}
END { exit is_failed }
