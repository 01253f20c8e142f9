"""What benchmarks share: where things are, how commands are run."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / 'build' / 'bench'


def tool(*words, **options):
    """Output of a command that must work, standard error last."""
    words = [str(word) for word in words]
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f'{" ".join(words)}: status {done.returncode}\n{done.stderr}')
    return done.stdout + done.stderr


def running_seconds(text, threads):
    """CPU time of one thread, so that a busy machine disturbs little; of several, time on the clock."""
    return float(re.search(r'in ([\d.]+) seconds' if threads else r'\(cpu=([\d.]+)\)', text)[1])
