# What a session shows, for session.sh: awk -v OUT=folder -f session.awk FILE
#
#   ```file NAME       becomes the file OUT/NAME
#   ```console         $ COMMAND becomes OUT/.N.sh, the lines up to the next one OUT/.N.want
/^```file / { file = OUT "/" $2; next }
/^```console$/ { inside = 1; next }
/^```$/ { file = ""; inside = 0; next }
file != "" { print > file; next }
inside && /^\$ / {
  n++
  print substr($0, 3) > (OUT "/." n ".sh")
  want = OUT "/." n ".want"
  printf "" > want
  next
}
inside { print > want }
END { if (n == 0) exit 1 }
