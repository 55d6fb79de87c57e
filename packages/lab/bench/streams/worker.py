"""
Streams server-sent events as workers of language models do, each with its number and the time of its creation.
Events are created at fixed intervals, even if the agent is slow. Events that are created while a chunk is being sent
form one chunk.
"""
import asyncio
import json
import time

import runpod


async def handler(job):
    value = job["input"].get("openai_input", job["input"])
    events = asyncio.Queue()

    async def server():
        start = time.monotonic()
        for number in range(value["events"]):
            await asyncio.sleep(start + number / value["perSecond"] - time.monotonic())
            event = {"job": job["id"], "number": number, "made": time.time() * 1000, "token": " token"}
            events.put_nowait(f"data: {json.dumps(event)}\n\n")

    task = asyncio.create_task(server())
    left = value["events"]
    try:
        while left > 0:
            text = [await events.get()]
            while not events.empty():
                text.append(events.get_nowait())
            left -= len(text)
            yield "".join(text)
    finally:
        task.cancel()


runpod.serverless.start({"handler": handler, "concurrency_modifier": lambda _: 32})
