# Writes the vocabulary of the language into a file of an editor:
#
#   diderotc --doc=words > words
#   awk -f words.awk words FILE
#
# prints FILE with what is between two lines `words: KIND ARGUMENT...` and `words end` made new:
#
#   vim-keywords GROUP CLASS...   syn keyword        vim-operators GROUP   syn match
#   vim-digraphs                  digraph            vim-abbreviations     iabbrev
#   python-words CLASS...         a tuple
#   emacs-words CLASS...          strings            emacs-rules           rules of an input method
#   compose                       lines of .XCompose    kate-items CLASS...   of a list in XML
#
# In JSON, which has no comments, it is the line behind "comment": "words: match CLASS...", and
# all between the braces of a file of snippets.
function wrap(before, n,   i, line) {
  line = before
  for (i = 1; i <= n; i++) {
    if (length(line) + length(found[i]) > 88) {
      print line
      line = before
    }
    line = line (line == before && before ~ /^ *$/ ? "" : " ") found[i]
  }
  print line
}

# The words of the classes from the k-th argument on, in found.
function select(k,   i, j, n) {
  for (i = 1; i <= n_words; i++)
    for (j = k; j <= n_arguments; j++)
      if (class[i] == argument[j]) found[++n] = word[i]
  return n
}

# What begins with another comes before it.
function longest_first(n,   i, k, text) {
  for (i = 2; i <= n; i++)
    for (k = i; k > 1 && length(found[k - 1]) < length(found[k]); k--) {
      text = found[k]
      found[k] = found[k - 1]
      found[k - 1] = text
    }
}

function join_escaped(n, special, escape, separator,   i, k, c, text) {
  longest_first(n)
  for (i = 1; i <= n; i++) {
    if (i > 1) text = text separator
    for (k = 1; k <= length(found[i]); k++) {
      c = substr(found[i], k, 1)
      text = text (index(special, c) ? escape : "") c
    }
  }
  return text
}

function key(c) {
  return c == "*" ? "asterisk" : c == "." ? "period" : c == "@" ? "at" : c
}

# Codes are four digits in base 16.
function decimal(code,   k, value) {
  for (k = 1; k <= 4; k++) value = value*16 + index("0123456789ABCDEF", substr(code, k, 1)) - 1
  return value
}

function for_each_character(kind,   i) {
  for (i = 1; i <= n_characters; i++) {
    if (kind == "vim-digraphs") print "digraph " digraph[i] " " decimal(code[i])
    if (kind == "vim-abbreviations") print "iabbrev <buffer> \\" name[i] " " character[i]
    if (kind == "emacs-rules") print " (\"\\\\" name[i] "\" ?" character[i] ")"
    if (kind == "compose")
      print "<Multi_key> <backslash> <" key(substr(digraph[i], 1, 1)) "> <" key(substr(digraph[i], 2)) \
        "> : \"" character[i] "\" U" code[i]
    if (kind == "snippets")
      print "  \"" name[i] "\": { \"prefix\": \"\\\\" name[i] "\", \"body\": \"" character[i] \
        "\", \"description\": \"" character[i] "\" }" (i < n_characters ? "," : "")
  }
}

function generate(kind,   i, n) {
  if (kind == "vim-keywords") {
    n = select(3)
    wrap("syn keyword " argument[2], n)
  } else if (kind == "vim-operators") {
    argument[3] = "operator"
    n_arguments = 3
    print "syn match " argument[2] " #\\V\\%(" join_escaped(select(3), "\\#", "\\", "\\|") "\\)#"
  } else if (kind == "emacs-words") {
    n = select(2)
    for (i = 1; i <= n; i++) found[i] = "\"" found[i] "\""
    wrap("    ", n)
  } else if (kind == "python-words") {
    n = select(2)
    for (i = 1; i <= n; i++) found[i] = "\"" found[i] "\","
    wrap("    ", n)
  } else if (kind == "kate-items") {
    n = select(2)
    for (i = 1; i <= n; i++) print "      <item>" found[i] "</item>"
  } else for_each_character(kind)
}

function match_of_json(   n) {
  n = select(2)
  if (argument[2] == "operator")
    return "\"match\": \"" join_escaped(n, "|*+?.^$()[]{}/", "\\\\", "|") "\""
  return "\"match\": \"(?<![\\\\w'])(?:" join_escaped(n, "", "", "|") ")(?![\\\\w'])\""
}

function read_arguments(text,   rest) {
  rest = text
  sub(/.*[ "]words: /, "", rest)
  sub(/[",].*/, "", rest)
  n_arguments = split(rest, argument, " ")
}

FNR == NR && $1 == "character" {
  n_characters++
  character[n_characters] = $2
  code[n_characters] = $3
  name[n_characters] = $4
  digraph[n_characters] = $5
  next
}
FNR == NR {
  n_words++
  class[n_words] = $1
  word[n_words] = $2
  next
}
FNR == 1 && FILENAME ~ /snippets/ {
  print "{"
  for_each_character("snippets")
  print "}"
  exit
}
is_generated && / words end/ { is_generated = 0 }
is_generated { next }
is_match {
  match($0, /^ */)
  print substr($0, 1, RLENGTH) match_of_json() (/,$/ ? "," : "")
  is_match = 0
  next
}
{ print }
/[ "]words: match / { read_arguments($0); is_match = 1; next }
/[ "]words: / { read_arguments($0); generate(argument[1]); is_generated = 1 }
END {
  if (is_generated || is_match) {
    print FILENAME ": a part for words does not end" > "/dev/stderr"
    exit 1
  }
}
