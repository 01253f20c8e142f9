# Is the second file what the first shows, where a line ... stands for any lines?
#   awk -f matches.awk WANT FOUND      status 1 when not
BEGIN { n_want = n_found = 0 }
FILENAME == ARGV[1] { want[n_want++] = $0; next }
{ found[n_found++] = $0 }

# From the last pair to the first: does want[w..] describe found[f..]?
END {
  for (w = n_want; w >= 0; w--)
    for (f = n_found; f >= 0; f--) {
      if (w == n_want) is_same[w, f] = f == n_found
      else if (want[w] == "...") is_same[w, f] = is_same[w + 1, f] || (f < n_found && is_same[w, f + 1])
      else is_same[w, f] = f < n_found && want[w] == found[f] && is_same[w + 1, f + 1]
    }
  exit !is_same[0, 0]
}
