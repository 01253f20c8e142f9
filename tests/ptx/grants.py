"""ptx.grants: how many launches a program takes whose strands make sequences, so that a launch grants all of
them as many updates.

  grants.py FOLDER

Of 8192 strands with 5 to 64 updates some have 4000. If each launch granted twice as many updates as the one before, from 4
on, there would be 10 launches. If the first ones granted as many as the last, half of the threads would wait.
"""
import os
import re
import subprocess
import sys

import device

PROGRAM = """#version 2.0
strand S (int i) {
   int h = (i*7919) % 10007;
   int end = 4000 if h % 97 == 0 else 5 + h % 60;
   int n = 0;
   output real[] trail = {};
   update {
      n += 1;
      if (n % 16 == 0) { trail = trail @ real(n); }
      if (n >= end) { stabilize; }
   }
}
create_array { S(i) | i in 0..8191 }
"""
MOST_LAUNCHES, LEAST_LANES = 8, 20


def main(folder):
    device.need_tools()
    os.makedirs(folder, exist_ok=True)
    source, program = (os.path.join(folder, name) for name in ("rare.diderot", "rare"))
    with open(source, "w", encoding="utf-8") as text:
        text.write(PROGRAM)
    if device.compile_program(source, program):
        sys.exit("the program is for the host")
    env = device.on_device("1", os.path.join(folder, "log"), None, PTX_WARPS="1", PTX_STATS="1")
    env.pop("PTX_LOG")  # the counts are for stderr
    said = subprocess.run([program], cwd=folder, env=env, capture_output=True, text=True, check=True).stderr
    n_launches = int(re.search(r"(\d+) launches of \S*update_kernel", said)[1])
    lanes = float(re.search(r"ptx-run: +\d+ +([\d.]+) .*update_kernel", said)[1])
    print(f"{n_launches} launches, {lanes} of 32 lanes on")
    sys.exit(n_launches > MOST_LAUNCHES or lanes < LEAST_LANES)


main(*sys.argv[1:])
