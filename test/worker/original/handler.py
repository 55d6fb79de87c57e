"""A worker as its author writes it for the original service. MODE chooses the kind of handler."""
import asyncio
import os
import time

import runpod


def plain(job):
    value = job["input"]
    op = value.get("op")
    if op == "raise":
        raise ValueError("no such model")
    if op == "error":
        return {"error": "the prompt is empty", "hint": "send a prompt"}
    if op == "empty":
        return {}
    if op == "large":
        return "x" * value["size"]
    if op == "progress":
        runpod.serverless.progress_update(job, {"step": 1})
        time.sleep(value["seconds"])
        return {"steps": 1}
    if op == "refresh":
        return {"refresh_worker": True, "done": True}
    if op == "sleep":
        time.sleep(value["seconds"])
    return {"echo": value, "keys": sorted(job)}


async def concurrent(job):
    await asyncio.sleep(job["input"]["seconds"])
    return job["input"]


def generator(job):
    for n in range(job["input"]["count"]):
        if job["input"].get("fail") == n:
            raise ValueError("the stream broke")
        yield {"n": n}


MODES = {
    "plain": {"handler": plain},
    "concurrent": {"handler": concurrent, "concurrency_modifier": lambda _: 4},
    "generator": {"handler": generator},
    "aggregate": {"handler": generator, "return_aggregate_stream": True},
}

runpod.serverless.start(MODES[os.environ["MODE"]])
