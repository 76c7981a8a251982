"""The schedule client of Temporal's Python SDK: every verb, on the server whose address is given.

No worker runs, so a started workflow stays open until the program ends it; that makes overlap exact on every server.
"""

import asyncio
import sys
from datetime import datetime, timedelta, timezone

from findings import check, seen
from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.client import (
    Client,
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleAlreadyRunningError,
    ScheduleBackfill,
    ScheduleCalendarSpec,
    ScheduleIntervalSpec,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleRange,
    ScheduleSpec,
    ScheduleState,
    ScheduleUpdate,
)
from temporalio.common import (
    RetryPolicy,
    SearchAttributeKey,
    SearchAttributePair,
    TypedSearchAttributes,
)
from temporalio.service import RPCError

address, prefix = sys.argv[1], sys.argv[2]
color = SearchAttributeKey.for_keyword("InteropColor")
size = SearchAttributeKey.for_int("InteropSize")
hourly = ScheduleSpec(intervals=[ScheduleIntervalSpec(every=timedelta(hours=1))])


def action(name, **more):
    return ScheduleActionStartWorkflow(
        "report", {"full": True}, id=f"{prefix}-{name}-w", task_queue="nobody", **more
    )


async def until(what, ask, seconds=30):
    end = asyncio.get_event_loop().time() + seconds
    while True:
        found = await ask()
        if found:
            return found
        if asyncio.get_event_loop().time() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        await asyncio.sleep(0.1)


async def code_of(call):
    try:
        await call
        return "OK"
    except RPCError as error:
        return error.status.name
    except ScheduleAlreadyRunningError:
        return "ScheduleAlreadyRunningError"


class Scenarios:
    def __init__(self, client):
        self.client = client

    async def create(self, name, schedule, **options):
        return await self.client.create_schedule(f"{prefix}-{name}", schedule, **options)

    async def created_as_described(self):
        handle = await self.create(
            "full",
            Schedule(
                action=action(
                    "full",
                    execution_timeout=timedelta(hours=2),
                    run_timeout=timedelta(hours=1),
                    retry_policy=RetryPolicy(maximum_attempts=3),
                    memo={"team": "a"},
                ),
                spec=ScheduleSpec(
                    calendars=[
                        ScheduleCalendarSpec(
                            hour=[ScheduleRange(9, 17, 4)], day_of_week=[ScheduleRange(1, 5)], comment="office"
                        )
                    ],
                    intervals=[ScheduleIntervalSpec(every=timedelta(days=1), offset=timedelta(hours=3))],
                    cron_expressions=["30 12 1 * *"],
                    skip=[ScheduleCalendarSpec(month=[ScheduleRange(12)], day_of_month=[ScheduleRange(25)])],
                    end_at=datetime(2035, 1, 1, tzinfo=timezone.utc),
                    time_zone_name="Europe/Berlin",
                ),
                policy=SchedulePolicy(
                    overlap=ScheduleOverlapPolicy.BUFFER_ONE,
                    catchup_window=timedelta(minutes=5),
                    pause_on_failure=True,
                ),
                state=ScheduleState(note="by hand", paused=True, limited_actions=True, remaining_actions=7),
            ),
            memo={"why": ["because", 1]},
            search_attributes=TypedSearchAttributes(
                [SearchAttributePair(color, "red"), SearchAttributePair(size, 4)]
            ),
        )
        told = await handle.describe()
        schedule = told.schedule
        check("describe gives the arguments back", schedule.action.args[0].data == b'{"full":true}', schedule.action.args)
        check("describe gives the memo back", await told.memo() == {"why": ["because", 1]}, await told.memo())
        attributes = {key: list(value) for key, value in told.search_attributes.items()}
        check("search attributes come back", attributes == {"InteropColor": ["red"], "InteropSize": [4]}, attributes)
        check("the note, the pause and the limit come back", schedule.state.note == "by hand" and schedule.state.paused
              and schedule.state.remaining_actions == 7, schedule.state)
        check("the policies come back", schedule.policy == SchedulePolicy(
            overlap=ScheduleOverlapPolicy.BUFFER_ONE, catchup_window=timedelta(minutes=5), pause_on_failure=True),
            schedule.policy)
        seen("spec as described", [str(schedule.spec.calendars), str(schedule.spec.intervals), str(schedule.spec.skip),
                                   schedule.spec.cron_expressions, schedule.spec.time_zone_name, schedule.spec.end_at])
        seen("next times", told.info.next_action_times[:7])
        seen("action as described", [schedule.action.workflow, schedule.action.id[len(prefix):], schedule.action.task_queue,
                                     schedule.action.execution_timeout, schedule.action.run_timeout,
                                     schedule.action.retry_policy])
        return handle

    async def updated(self, handle):
        def change(given):
            schedule = given.description.schedule
            schedule.spec.cron_expressions = ["0 4 * * *"]
            schedule.state.note = "changed"
            schedule.policy.overlap = ScheduleOverlapPolicy.ALLOW_ALL
            return ScheduleUpdate(schedule=schedule)

        await handle.update(change)
        told = (await handle.describe()).schedule
        check("an update changes note and policy", told.state.note == "changed"
              and told.policy.overlap == ScheduleOverlapPolicy.ALLOW_ALL, told)
        seen("calendars after the update", len(told.spec.calendars))
        await handle.update(lambda _: None)
        check("an update that declines changes nothing", (await handle.describe()).schedule.state.note == "changed")

        def attributes(given):
            return ScheduleUpdate(
                schedule=given.description.schedule,
                search_attributes=TypedSearchAttributes([SearchAttributePair(color, "blue")]),
            )

        await handle.update(attributes)
        kept = dict((await handle.describe()).search_attributes)
        check("an update replaces search attributes", kept == {"InteropColor": ["blue"]}, kept)

    async def paused(self, handle):
        await handle.unpause(note="go on")
        state = (await handle.describe()).schedule.state
        check("unpause", not state.paused and state.note == "go on", state)
        await handle.pause(note="stop")
        state = (await handle.describe()).schedule.state
        check("pause", state.paused and state.note == "stop", state)
        await handle.pause()
        seen("note of a pause without one", (await handle.describe()).schedule.state.note)

    async def triggered(self):
        handle = await self.create("trigger", Schedule(action=action("trigger"), spec=ScheduleSpec()))
        await handle.trigger()

        async def started():
            info = (await handle.describe()).info
            return info if info.num_actions == 1 and info.recent_actions else None

        info = await until("the trigger started a workflow", started)
        first = info.recent_actions[-1].action
        check("a trigger starts a workflow named after the action", first.workflow_id.startswith(f"{prefix}-trigger-w-"), first)
        workflow = self.client.get_workflow_handle(first.workflow_id, run_id=first.first_execution_run_id)
        told = await workflow.describe()
        check("the workflow is open and knows its schedule", told.status.name == "RUNNING"
              and told.search_attributes.get("TemporalScheduledById") == [f"{prefix}-trigger"], told.search_attributes)
        await workflow.cancel()
        await workflow.cancel()
        check("a cancel can be repeated", True)
        seen("terminate after a cancel that no worker saw", await code_of(workflow.terminate("detail", reason="enough")))
        told = await until("ended", lambda: ended(workflow))
        seen("status after both", told.status.name)
        seen("cancel of a closed workflow", await code_of(workflow.cancel()))
        seen("terminate of a closed workflow", await code_of(workflow.terminate()))

    async def backfilled(self):
        handle = await self.create("backfill", Schedule(
            action=action("backfill"), spec=hourly, state=ScheduleState(paused=True),
            policy=SchedulePolicy(overlap=ScheduleOverlapPolicy.ALLOW_ALL)))
        begin = datetime(2026, 3, 1, tzinfo=timezone.utc)
        await handle.backfill(ScheduleBackfill(start_at=begin, end_at=begin + timedelta(hours=3)))
        info = await until("the backfill ran", lambda: self.actions(handle, 4))
        check("a backfill starts each slot, both ends included", info.num_actions == 4, info.num_actions)
        times = [each.scheduled_at for each in info.recent_actions]
        seen("slots of the backfill", sorted(times))
        seen("workflow ids of the backfill", sorted(each.action.workflow_id[len(prefix):] for each in info.recent_actions))
        await self.close(info)

    async def overlapping(self):
        policies = [ScheduleOverlapPolicy.SKIP, ScheduleOverlapPolicy.BUFFER_ALL, ScheduleOverlapPolicy.ALLOW_ALL,
                    ScheduleOverlapPolicy.TERMINATE_OTHER, ScheduleOverlapPolicy.CANCEL_OTHER]
        begin = datetime(2026, 4, 1, tzinfo=timezone.utc)
        for policy in policies:
            handle = await self.create(f"overlap-{policy.name}", Schedule(
                action=action(f"overlap-{policy.name}"), spec=hourly, state=ScheduleState(paused=True)))
            for hour in range(3):
                at = begin + timedelta(hours=hour)
                await handle.backfill(ScheduleBackfill(start_at=at, end_at=at, overlap=policy))
                await asyncio.sleep(1.5)
            info = await self.settled(handle)
            seen(f"overlap {policy.name}", {
                "started": info.num_actions, "skipped": info.num_actions_skipped_overlap,
                "open": len(info.running_actions)})
            statuses = []
            for each in sorted(info.recent_actions, key=lambda each: each.scheduled_at):
                told = await self.client.get_workflow_handle(each.action.workflow_id).describe()
                statuses.append(told.status.name)
            seen(f"statuses under {policy.name}", statuses)
            await handle.delete()
            await self.close(info)

    async def listed(self):
        for index, value in enumerate(["green", "green", "yellow"]):
            await self.create(f"list-{index}", Schedule(action=action(f"list-{index}"), spec=hourly,
                              state=ScheduleState(paused=index == 0)),
                              search_attributes=TypedSearchAttributes([SearchAttributePair(color, f"{prefix}-{value}")]))

        async def ids(query):
            found = [each.id[len(prefix) + 1:] async for each in await self.client.list_schedules(query)]
            return sorted(found)

        greens = f'InteropColor = "{prefix}-green"'

        async def all_there():
            return len(await ids(f'InteropColor IN ("{prefix}-green", "{prefix}-yellow")')) == 3

        await until("the list knows them", all_there)
        check("a list by search attribute", await ids(greens) == ["list-0", "list-1"], await ids(greens))
        seen("list by two conditions", await ids(f"{greens} AND TemporalSchedulePaused = true"))
        seen("list by id prefix", await ids(f'ScheduleId STARTS_WITH "{prefix}-list-"'))
        seen("list by unequal", await ids(f'ScheduleId STARTS_WITH "{prefix}-list-" AND InteropColor != "{prefix}-green"'))
        seen("an invalid query", await code_of(ids("this is no query")))
        seen("an unknown attribute", await code_of(ids("Nothing = 1")))

    async def refused(self):
        create = self.create
        bad_cron = Schedule(action=action("bad"), spec=ScheduleSpec(cron_expressions=["not a cron"]))
        bad_zone = Schedule(action=action("bad"), spec=ScheduleSpec(cron_expressions=["0 0 * * *"], time_zone_name="Nowhere"))
        calendar = ScheduleCalendarSpec(hour=[ScheduleRange(25)])
        bad_hour = Schedule(action=action("bad"), spec=ScheduleSpec(calendars=[calendar]))
        good = Schedule(action=action("bad"), spec=hourly)
        nobody = SearchAttributeKey.for_keyword("InteropUnknown")
        missing = self.client.get_schedule_handle(f"{prefix}-missing")
        await create("twice", good)
        for name, call in {
            "create twice": create("twice", good),
            "create with a bad cron": create("bad", bad_cron),
            "create with a bad zone": create("bad", bad_zone),
            "create with a bad hour": create("bad", bad_hour),
            "create with a long id": create("x" * 1000, good),
            "create with an unknown attribute": create(
                "bad", good, search_attributes=TypedSearchAttributes([SearchAttributePair(nobody, "x")])),
            "create with an attribute of the wrong type": create(
                "bad", good, search_attributes=TypedSearchAttributes(
                    [SearchAttributePair(SearchAttributeKey.for_keyword("InteropSize"), "many")])),
            "describe a missing one": missing.describe(),
            "pause a missing one": missing.pause(),
            "trigger a missing one": missing.trigger(),
            "backfill a missing one": missing.backfill(
                ScheduleBackfill(start_at=datetime(2026, 1, 1), end_at=datetime(2026, 1, 2))),
            "delete a missing one": missing.delete(),
        }.items():
            seen(name, await code_of(call))

    async def deleted(self, handle):
        await handle.delete()
        code = await code_of(handle.describe())
        check("a deleted schedule is not found", code == "NOT_FOUND", code)
        seen("delete twice", await code_of(handle.delete()))
        seen("pause after delete", await code_of(handle.pause()))

    async def actions(self, handle, count):
        info = (await handle.describe()).info
        return info if info.num_actions >= count else None

    async def settled(self, handle):
        """The info once it no longer changes."""
        before = None
        while True:
            info = (await handle.describe()).info
            now = (info.num_actions, info.num_actions_skipped_overlap, len(info.running_actions))
            if now == before:
                return info
            before = now
            await asyncio.sleep(1.5)

    async def close(self, info):
        for each in info.recent_actions:
            await code_of(self.client.get_workflow_handle(each.action.workflow_id).terminate())


async def ended(workflow):
    told = await workflow.describe()
    return told if told.status.name != "RUNNING" else None


async def main():
    client = await Client.connect(address)
    try:
        await client.operator_service.add_search_attributes(AddSearchAttributesRequest(
            namespace="default",
            search_attributes={"InteropColor": IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
                               "InteropSize": IndexedValueType.INDEXED_VALUE_TYPE_INT}))
    except RPCError as error:
        if error.status.name != "ALREADY_EXISTS":
            raise
    scenarios = Scenarios(client)
    handle = await scenarios.created_as_described()
    await scenarios.updated(handle)
    await scenarios.paused(handle)
    await scenarios.triggered()
    await scenarios.backfilled()
    await scenarios.overlapping()
    await scenarios.listed()
    await scenarios.refused()
    await scenarios.deleted(handle)


asyncio.run(main())
