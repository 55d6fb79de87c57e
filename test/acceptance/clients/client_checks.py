"""
Checks of clients in Python. A program defines a function for each check, and prints the results as a JSON object. The
functions import `openai` themselves, because the program of RunPod's client runs without that package.
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
    """Returns the class and the status of OpenAI's error. LangChain's error classes are subclasses."""
    import openai

    try:
        return call()
    except openai.APIError as error:
        kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith("openai")]
        return [kinds[0], getattr(error, "status_code", None)]


def requests_of(call):
    """Returns the number of times that the server received a call that fails."""
    raised(call)
    with open(os.environ["FAILURES"]) as file:
        return len(file.readlines())


def message_of(call):
    """Returns the message of the error, and whether the response names a job."""
    import openai

    try:
        call()
    except openai.NotFoundError as error:
        return [error.body["message"], error.response.headers["x-job-id"] != ""]


def patiently(call):
    """Returns the result of the call, and whether the call took at least a second."""
    begin = time.monotonic()
    return [call(), time.monotonic() - begin >= 1]
