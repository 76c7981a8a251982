"""A worker of Conductor's Python SDK. It prints what its tasks do, so that a test knows when to kill it."""

import os
import sys
import time
from typing import Union

# One process, so that killing it kills the whole worker.
os.environ["CONDUCTOR_WORKER_ISOLATION"] = "thread"

from conductor.client.automator.task_handler import TaskHandler  # noqa: E402
from conductor.client.configuration.configuration import Configuration  # noqa: E402
from conductor.client.context.task_context import TaskInProgress, get_task_context  # noqa: E402
from conductor.client.worker.exception import NonRetryableException  # noqa: E402
from conductor.client.worker.worker_task import worker_task  # noqa: E402

url, name = sys.argv[1:3]


def told(what):
    context = get_task_context()
    print(f"began {what} {context.get_retry_count()} {context.get_poll_count()}", flush=True)
    return context


@worker_task(task_definition_name="interop_sum", worker_id=name)
def interop_sum(x: int, y: int) -> dict:
    told("sum").add_log("adding")
    return {"sum": x + y}


@worker_task(task_definition_name="interop_flaky", worker_id=name)
def interop_flaky() -> dict:
    context = told("flaky")
    if context.get_retry_count() == 0:
        raise RuntimeError("not yet")
    return {"retries": context.get_retry_count()}


@worker_task(task_definition_name="interop_broken", worker_id=name)
def interop_broken() -> dict:
    told("broken")
    raise NonRetryableException("never")


@worker_task(task_definition_name="interop_beats", worker_id=name)
def interop_beats() -> Union[dict, TaskInProgress]:
    context = told("beats")
    if context.get_poll_count() < 3:
        return TaskInProgress(callback_after_seconds=1, output={"polls": context.get_poll_count()})
    return {"polls": context.get_poll_count()}


@worker_task(task_definition_name="interop_slow", worker_id=name)
def interop_slow(seconds: int) -> dict:
    told("slow")
    time.sleep(seconds)
    return {"by": name}


if __name__ == "__main__":
    with TaskHandler(configuration=Configuration(server_api_url=f"{url}/api")) as handler:
        handler.start_processes()
        print("ready", flush=True)
        handler.join_processes()
