"""What LangChain's ChatOpenAI makes of an endpoint; the variables are those of openai_client.py."""
import json
import os
import time

import openai
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

model = ChatOpenAI(model="qwen", max_retries=0)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return city


def models():
    return [model.id for model in openai.OpenAI(max_retries=0).models.list()]


def chat():
    message = model.invoke("hello")
    return [message.content, message.usage_metadata["total_tokens"]]


def stream_with_tools():
    whole = None
    for chunk in model.bind_tools([get_weather]).stream("weather in Paris"):
        whole = chunk if whole is None else whole + chunk
    [call] = whole.tool_calls
    return [call["name"], call["args"], whole.response_metadata["finish_reason"]]


def stream_with_usage():
    whole = None
    for chunk in model.stream("count 20", stream_usage=True):
        whole = chunk if whole is None else whole + chunk
    return [whole.content.split(), whole.usage_metadata["total_tokens"]]


def asynchronous():
    import asyncio

    async def read():
        return "".join([chunk.content async for chunk in model.astream("hello")])

    return asyncio.run(read())


def embeddings():
    # Without this it would count tokens by a file that it downloads from OpenAI.
    return OpenAIEmbeddings(model="qwen", check_embedding_ctx_length=False).embed_documents(["one", "two"])


def close():
    words = []
    stream = model.bind(user=os.environ["LOG"]).stream("forever")
    for chunk in stream:
        words.append(chunk.content)
        if len(words) == 3:
            break
    stream.close()
    return words


def raised(call):
    try:
        return call()
    except openai.APIError as error:
        # Its classes are subclasses of those of OpenAI's SDK.
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith("openai")]
        return [kinds[0], getattr(error, "status_code", None)]


def errors():
    elsewhere = os.environ["OPENAI_BASE_URL"].replace("/llm", "/no-llm")
    return {
        "bad request": raised(lambda: model.invoke([])),
        "wrong key": raised(lambda: ChatOpenAI(model="qwen", max_retries=0, api_key="wrong").invoke("hello")),
        "no such model": raised(lambda: ChatOpenAI(model="gpt", max_retries=0).invoke("hello")),
        "no such endpoint": raised(lambda: ChatOpenAI(model="qwen", max_retries=0, base_url=elsewhere).invoke("hello")),
        "rate limit": raised(lambda: model.invoke("busy")),
        "failure": raised(lambda: model.invoke("fail")),
        "ran too long": raised(lambda: model.invoke("slow 20000")),
        "time-out": raised(lambda: ChatOpenAI(model="qwen", max_retries=0, timeout=1).invoke("slow 20000")),
    }


def failure_once():
    """The client would send the request three times."""
    raised(lambda: ChatOpenAI(model="qwen", max_retries=2).bind(user=os.environ["FAILURES"]).invoke("fail"))
    with open(os.environ["FAILURES"]) as file:
        return len(file.readlines())


def message():
    try:
        ChatOpenAI(model="gpt", max_retries=0).invoke("hello")
    except openai.NotFoundError as error:
        return [error.body["message"], error.response.headers["x-job-id"] != ""]


def retries():
    begin = time.monotonic()
    patient = ChatOpenAI(model="qwen", max_retries=2, base_url=os.environ["REFUSING_URL"])
    return [patient.invoke("hello").content, time.monotonic() - begin >= 1]


checks = [
    models,
    chat,
    stream_with_tools,
    stream_with_usage,
    asynchronous,
    embeddings,
    close,
    errors,
    failure_once,
    message,
    retries,
]
print(json.dumps({check.__name__: check() for check in checks}))
