"""Does the same as openai_client.py, with the same variables, through LangChain's ChatOpenAI."""
import os

import openai
from client_checks import OPENAI_CHECKS, message_of, patiently, print_results, raised, requests_of
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

model = ChatOpenAI(model="qwen", max_retries=0)


def get_weather(city: str) -> str:
    """Returns the weather in a city."""
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
    # Otherwise LangChain counts tokens with a file that it downloads from OpenAI.
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
    """With `max_retries=2`, the client would send the request three times if the response did not forbid retries."""
    return requests_of(lambda: ChatOpenAI(model="qwen", max_retries=2).bind(user=os.environ["FAILURES"]).invoke("fail"))


def message():
    return message_of(lambda: ChatOpenAI(model="gpt", max_retries=0).invoke("hello"))


def retries():
    other = ChatOpenAI(model="qwen", max_retries=2, base_url=os.environ["REFUSING_URL"])
    return patiently(lambda: other.invoke("hello").content)


print_results(globals(), OPENAI_CHECKS)
