#!/bin/sh
# Runs worker-vllm ($1: its checkout, $2: the interpreter) as its image does, with the stand-in for vLLM. Each worker
# uses a different port for the server, because two tasks share the loopback address on this machine.
here=$(cd "$(dirname "$0")" && pwd)
PATH="$here:$PATH"
VLLM_PORT=$("$NODE" "$here/free-port.ts")
export PATH VLLM_PORT
exec "$2" -u "$1/src/main.py"
