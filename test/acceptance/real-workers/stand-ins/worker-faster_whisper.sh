#!/bin/sh
# Runs worker-faster_whisper ($1: its checkout, $2: the interpreter) with the stand-in for the module faster_whisper.
PYTHONPATH=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH
exec "$2" -u "$1/src/rp_handler.py"
