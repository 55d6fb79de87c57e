#!/bin/sh
# Runs a command in a folder of its own, as a container has one. The Python SDK from 1.7 to 1.9 keeps the jobs that it runs
# in a file of its folder; two workers of one folder would count each other's jobs.
cd "$(mktemp -d)" && exec "$@"
