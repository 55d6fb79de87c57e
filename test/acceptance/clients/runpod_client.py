"""
Calls an endpoint with RunPod's Python client, and prints a JSON object with each result. RUNPOD_ENDPOINT_BASE_URL is
the client's own variable. ENDPOINT is the endpoint's id, and NAMED is `true` if the blocking client identifies itself in
its User-Agent.
"""
import asyncio
import os

import runpod
from client_checks import print_results
from requests.adapters import HTTPAdapter
from runpod import AsyncioEndpoint
from runpod.http_client import AsyncClientSession
from runpod.user_agent import USER_AGENT

runpod.api_key = os.environ["API_KEY"]
endpoint = runpod.Endpoint(os.environ["ENDPOINT"])
if os.environ["NAMED"] == "true":
    endpoint.rp_client.headers["User-Agent"] = USER_AGENT
CHUNKS = {"op": "stream", "chunks": 3, "size": 3, "ms": 300}


def health():
    return list(endpoint.health(timeout=30))


def run_sync():
    return endpoint.run_sync({"n": 1})


def run():
    job = endpoint.run({"input": {"n": 2}})
    return [job.output(timeout=30), job.status()]


def stream():
    return list(endpoint.run(CHUNKS).stream())


def cancel():
    job = endpoint.run({"op": "sleep", "ms": 60_000})
    return [job.cancel(timeout=30)["status"], job.status()]


def purge():
    return endpoint.purge_queue(timeout=30)["status"]


def asynchronous():
    async def calls():
        async with AsyncClientSession() as session:
            other = AsyncioEndpoint(os.environ["ENDPOINT"], session)
            job = await other.run({"n": 3})
            output = await job.output(timeout=30)
            streaming = await other.run(CHUNKS)
            streamed = [chunk async for chunk in streaming.stream()]
            cancelled = await other.run({"op": "sleep", "ms": 60_000})
            return [output, streamed, (await cancelled.cancel())["status"], list(await other.health())]

    return asyncio.run(calls())


def waits():
    """The client's reads time out after 10 s. Over HTTPS, which deployments use, the client does not retry."""
    endpoint.rp_client.rp_session.mount("http://", HTTPAdapter())
    return list(endpoint.run({"op": "stream", "chunks": 2, "size": 3, "ms": 15_000}).stream())


print_results(globals(), os.environ["CHECKS"].split(","))
