"""
Calls an endpoint with OpenAI's Python SDK, and prints a JSON object with each result or error. OPENAI_BASE_URL and
OPENAI_API_KEY are the SDK's own variables. REFUSING_URL is a proxy to the endpoint that refuses every second call,
starting with the first, with a 429.
"""
import asyncio
import json
import os

from client_checks import OPENAI_CHECKS, message_of, patiently, print_results, raised, requests_of
from openai import AsyncOpenAI, OpenAI

client = OpenAI(max_retries=0)
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}}]


def asked(text, **more):
    return {"model": "qwen", "messages": [{"role": "user", "content": text}], **more}


def ask(text, **more):
    return client.chat.completions.create(**asked(text, **more))


def models():
    return [model.id for model in client.models.list()]


def chat():
    completion = ask("hello")
    return [completion.choices[0].message.content, completion.usage.total_tokens]


def stream_with_tools():
    name, arguments, end = "", "", None
    for chunk in ask("weather in Paris", stream=True, tools=TOOLS):
        [choice] = chunk.choices
        for call in choice.delta.tool_calls or []:
            name += call.function.name or ""
            arguments += call.function.arguments
        end = choice.finish_reason or end
    return [name, json.loads(arguments), end]


def stream_with_usage():
    chunks = list(ask("count 20", stream=True, stream_options={"include_usage": True}))
    text = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
    return [text.split(), chunks[-1].usage.total_tokens]


def asynchronous():
    async def read():
        async with AsyncOpenAI(max_retries=0) as other:
            stream = await other.chat.completions.create(**asked("hello", stream=True))
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

    return asyncio.run(read())


def embeddings():
    made = client.embeddings.create(model="qwen", input=["one", "two"])
    return [entry.embedding for entry in made.data]


def close():
    stream = ask("forever", stream=True, user=os.environ["LOG"])
    words = [next(stream).choices[0].delta.content for _ in range(3)]
    stream.close()
    return words


def errors():
    return {
        "bad request": raised(lambda: client.chat.completions.create(model="qwen", messages=[])),
        "wrong key": raised(lambda: client.with_options(api_key="wrong").models.list()),
        "no such model": raised(lambda: client.chat.completions.create(**{**asked("hello"), "model": "gpt"})),
        "no such endpoint": raised(
            lambda: OpenAI(base_url=str(client.base_url).replace("/llm", "/no-llm"), max_retries=0).models.list()
        ),
        "rate limit": raised(lambda: ask("busy")),
        "failure": raised(lambda: ask("fail")),
        "ran too long": raised(lambda: ask("slow 20000")),
        "time-out": raised(lambda: client.with_options(timeout=1).chat.completions.create(**asked("slow 20000"))),
    }


def failure_once():
    """With `max_retries=2`, the client would send the request three times if the response did not forbid retries."""
    other = client.with_options(max_retries=2)
    return requests_of(lambda: other.chat.completions.create(**asked("fail", user=os.environ["FAILURES"])))


def message():
    return message_of(lambda: client.chat.completions.create(**{**asked("hello"), "model": "gpt"}))


def retries():
    other = OpenAI(base_url=os.environ["REFUSING_URL"], max_retries=2)
    return patiently(lambda: other.chat.completions.create(**asked("hello")).choices[0].message.content)


print_results(globals(), OPENAI_CHECKS)
