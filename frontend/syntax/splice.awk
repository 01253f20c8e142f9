# Puts the rows of tokens.def into lexer.l or grammar.y, where a line "<<tokens>>" stands:
# %token lines of bison, or (MODE=flex) the rules of the operators.
#   awk -v MODE=flex -f splice.awk tokens.def lexer.l

function rule(id, spelling) { return spelling "  { return T_" id "; }" }
function token(id, spelling) { return "%token <ident> " id " " spelling }
function line(id, spelling) { return MODE == "flex" ? rule(id, spelling) : token(id, spelling) }

FILENAME ~ /tokens\.def$/ {
  if ($1 !~ /^(KEYWORD|OPERATOR|SPELLING|CLASS)\($/) next
  if (MODE == "flex" && $1 ~ /KEYWORD|CLASS/) next
  if (MODE != "flex" && $1 ~ /SPELLING/) next
  id = $2
  sub(/,$/, "", id)
  match($0, /"[^"]*"/)
  rows = rows line(id, substr($0, RSTART, RLENGTH)) "\n"
  next
}
$0 == "<<tokens>>" { printf "%s", rows; next }
{ print }
