"""Forwards the stream of an HTTP server, as workers of language models do."""
import aiohttp
import runpod


async def handler(job):
    async with aiohttp.ClientSession() as session, session.get(job["input"]["url"]) as response:
        async for text in response.content.iter_any():
            yield text.decode()


runpod.serverless.start({"handler": handler})
