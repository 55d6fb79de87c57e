"""The job of the peer `runpod`: a handler for RunPod's SDK. See job.mjs."""

import asyncio
import json
import os

import runpod

LOG = os.open(os.environ["EXECUTIONS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def log(job, event):
    os.write(LOG, f"{json.dumps({'job': job, 'event': event, 'pid': os.getpid()})}\n".encode())


async def handler(job):
    key, ms = job["input"]["key"], job["input"]["ms"]
    log(key, "start")
    if ms > 0:
        await asyncio.sleep(ms / 1000)
    log(key, "effect")
    return {"ms": ms}


runpod.serverless.start({"handler": handler})
