"""An activity worker of Temporal's Python SDK. It prints what its activities do, so that a test knows when to kill what."""

import asyncio
import sys

from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import Worker

address, queue, name = sys.argv[1:4]


def told(what):
    print(f"{what} {activity.info().activity_type} {activity.info().attempt}", flush=True)


@activity.defn
async def add(a: int, b: int, c: int):
    told("began")
    return {"sum": a + b + c, "attempt": activity.info().attempt}


@activity.defn
async def resumes():
    told("began")
    if activity.info().attempt == 1:
        activity.heartbeat({"done": 7})
        raise ApplicationError("not yet", type="Flaky")
    return list(activity.info().heartbeat_details)


@activity.defn
async def flaky():
    told("began")
    if activity.info().attempt < 3:
        raise ApplicationError("not yet", type="Flaky")
    return activity.info().attempt


@activity.defn
async def broken():
    told("began")
    raise ApplicationError("never", type="Broken", non_retryable=True)


@activity.defn
async def waits():
    told("began")
    try:
        while True:
            activity.heartbeat()
            await asyncio.sleep(0.2)
    except asyncio.CancelledError:
        told("cancelled")
        raise


@activity.defn
async def slow(seconds: float):
    told("began")
    await asyncio.sleep(seconds)
    return {"by": name, "attempt": activity.info().attempt}


async def main():
    client = await Client.connect(address)
    activities = [add, resumes, flaky, broken, waits, slow]
    async with Worker(client, task_queue=queue, activities=activities, identity=name):
        print("ready", flush=True)
        await asyncio.Event().wait()


asyncio.run(main())
