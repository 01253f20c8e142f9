# What a document shows, to be tried: awk -v OUT=folder -f commands.awk FILE.md
#
#   ```diderot NAME, ```cmake NAME     becomes the file OUT/NAME
#   ```sh                              its lines go to OUT/commands.sh, one after the other
/^```(diderot|cmake) / { file = OUT "/" $2; next }
/^```sh$/ { file = OUT "/commands.sh"; n++; next }
/^```$/ { file = ""; next }
file != "" { print > file }
END { if (n == 0) exit 1 }
