"""Runs the HTTP server of llama.cpp as its image does. Only the environment variables are specific to this service."""

import os
import signal
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = os.environ["MODEL"]
params.hostnames = ["127.0.0.1"]
params.port = int(os.environ["PORT"])
params.n_parallel = int(os.environ["CONCURRENCY"])
params.n_ctx = 512 * params.n_parallel
# Shifts the context, so that an endless answer does not stop at the context size.
params.ctx_shift = True
params.embedding = True
params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1

signal.signal(signal.SIGTERM, lambda *_: sys.exit())
server = xllamacpp.Server(params)
signal.pause()
