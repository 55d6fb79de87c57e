#!/bin/sh
# Runs a command in a separate folder, as in a container. The Python SDK from 1.7 to 1.9 stores its running jobs in a
# file in the current folder, so two workers in one folder would count each other's jobs.
cd "$(mktemp -d)" && exec "$@"
