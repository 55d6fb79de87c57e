"""
A worker of RunPod's SDK, as its users write it. HANDLER selects the kind of handler. `do` in the input selects its
action, for `ms` milliseconds or until the file `until` exists.
"""
import asyncio
import hashlib
import json
import os
import sys
import tempfile
import time

import runpod
from runpod.serverless.utils import rp_upload


def log(job, event):
    """Appends each line in one write, so that lines of several processes do not mix."""
    if "log" in job["input"]:
        line = {"job": job["id"], "attempt": job["attempt"], "pid": os.getpid(), "event": event}
        with open(job["input"]["log"], "a", buffering=1) as file:
            file.write(json.dumps(line) + "\n")


def started(job):
    with open(job["input"]["log"]) as file:
        return file.read().count("start")


def begin(job):
    log(job, "start")
    if job["input"].get("do") == "progress":
        runpod.serverless.progress_update(job, {"step": 1})


def upload(job):
    """Uploads the text with the client's credentials, if any, or the template's. Returns the URL of the file."""
    value = job["input"]
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(value["text"])
        file.flush()
        credentials = job.get("s3Config")
        return rp_upload.upload_file_to_bucket("result.txt", file.name, credentials, value["bucket"], job["id"])


def end(job):
    value = job["input"]
    do = value.get("do")
    log(job, "effect")
    if do == "raise":
        raise ValueError("no such model")
    if do == "error":
        return {"error": "the prompt is empty", "message": "send a prompt"}
    if do == "nothing":
        return {}
    if do == "unserializable":
        return {"set": {1, 2}}
    if do == "large":
        return "x" * value["size"]
    if do == "exit" and job["attempt"] == 1:
        sys.exit(2)
    if do == "refresh":
        return {"refresh_worker": True, "done": True}
    if do == "s3":
        return hashlib.sha256(job["s3Config"]["accessSecret"].encode()).hexdigest()
    if do == "upload":
        return upload(job)
    if do == "effect":
        return {"attempt": job["attempt"], "pid": os.getpid()}
    return {"echo": value}


def seconds(job):
    return job["input"].get("ms", 0) / 1000


def is_held(job):
    return "until" in job["input"] and not os.path.exists(job["input"]["until"])


def plain(job):
    begin(job)
    while is_held(job):
        time.sleep(0.1)
    time.sleep(seconds(job))
    return end(job)


async def concurrent(job):
    begin(job)
    while job["input"].get("do") == "meet" and started(job) < 4:
        await asyncio.sleep(0.1)
    while is_held(job):
        await asyncio.sleep(0.1)
    await asyncio.sleep(seconds(job))
    return end(job)


def chunk(job, n):
    if job["input"].get("fail") == n:
        raise ValueError("the stream broke")
    return {"n": n}


def generator(job):
    for n in range(job["input"]["chunks"]):
        yield chunk(job, n)


async def concurrent_generator(job):
    for n in range(job["input"]["chunks"]):
        await asyncio.sleep(seconds(job) if n > 0 else 0)
        while n > 0 and is_held(job):
            await asyncio.sleep(0.1)
        yield chunk(job, n)


def four(_):
    return 4


runpod.serverless.start(
    {
        "sync": {"handler": plain},
        "async": {"handler": concurrent, "concurrency_modifier": four},
        "stream": {"handler": concurrent_generator, "concurrency_modifier": four},
        "aggregate": {"handler": generator, "return_aggregate_stream": True},
    }[os.environ["HANDLER"]]
)
