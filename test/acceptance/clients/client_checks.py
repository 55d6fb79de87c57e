"""
What clients in Python are asked: a program defines a function for each check, and prints what they return as a JSON object. `openai`
is imported where it is used, because the program of RunPod's client runs without it.
"""
import json
import os
import time

OPENAI_CHECKS = [
    "models",
    "chat",
    "stream_with_tools",
    "stream_with_usage",
    "asynchronous",
    "embeddings",
    "close",
    "errors",
    "failure_once",
    "message",
    "retries",
]


def print_results(program, names):
    print(json.dumps({name: program[name]() for name in names}))


def raised(call):
    """The class of OpenAI's error and its status; LangChain's classes are subclasses."""
    import openai

    try:
        return call()
    except openai.APIError as error:
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith("openai")]
        return [kinds[0], getattr(error, "status_code", None)]


def requests_of(call):
    """How often the server got a call that fails."""
    raised(call)
    with open(os.environ["FAILURES"]) as file:
        return len(file.readlines())


def message_of(call):
    """The message of the error, and whether the error names a job."""
    import openai

    try:
        call()
    except openai.NotFoundError as error:
        return [error.body["message"], error.response.headers["x-job-id"] != ""]


def patiently(call):
    """The result, and whether it took a second."""
    begin = time.monotonic()
    return [call(), time.monotonic() - begin >= 1]
