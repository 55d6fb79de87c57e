#!/bin/sh
# Runs worker-comfyui ($1: its checkout, $2: the interpreter) beside the stand-in for ComfyUI, as the image's own script
# does. Forwards SIGTERM to the handler, and stops the stand-in after the handler has exited.
"$NODE" "$(dirname "$0")/comfyui-server.ts" &
server=$!
PYTHONPATH="$1/src" "$2" -u "$1/handler.py" &
handler=$!
trap 'kill -TERM $handler' TERM INT
wait $handler
code=$?
# A signal interrupts `wait` before the handler has exited.
while kill -0 $handler 2> /dev/null; do
  wait $handler
  code=$?
done
kill $server 2> /dev/null
exit $code
