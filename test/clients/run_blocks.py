"""Runs blocks of Python, each by itself: JSON texts on standard input, JSON of what they print."""

import contextlib
import io
import json
import sys
import traceback

results = []
for code in json.load(sys.stdin):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "block", "exec"), {})
        except Exception:
            traceback.print_exc(file=printed)
    results.append(printed.getvalue())
json.dump(results, sys.stdout)
