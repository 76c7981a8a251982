"""The scheduler client of Conductor's Python SDK: every verb that the open-source server has."""

import sys

from conductor.client.configuration.configuration import Configuration
from conductor.client.http.models import SaveScheduleRequest, StartWorkflowRequest
from conductor.client.http.rest import ApiException
from conductor.client.orkes_clients import OrkesClients
from findings import check, seen

url, prefix = sys.argv[1:3]
client = OrkesClients(Configuration(server_api_url=f"{url}/api")).get_scheduler_client()
name = f"{prefix}-daily"


def status_of(call):
    try:
        call()
        return 200
    except ApiException as error:
        return error.status


def save(**more):
    start = StartWorkflowRequest(name="interop_none", version=1, input={"a": 1})
    fields = {"name": name, "cron_expression": "0 0 9 ? * MON-FRI", "start_workflow_request": start, **more}
    client.save_schedule(SaveScheduleRequest(**fields))


save(zone_id="Europe/Berlin", description="every working day")
told = client.get_schedule(name)
check("get gives the saved schedule back", told.cron_expression == "0 0 9 ? * MON-FRI" and told.zone_id == "Europe/Berlin", told)
check("and its request", told.start_workflow_request.name == "interop_none" and told.start_workflow_request.input == {"a": 1}, told)
check("it is in the list", name in [each.name for each in client.get_all_schedules()])
check("and in the list of its workflow", [each.name for each in client.get_all_schedules("interop_none")] == [name])
client.pause_schedule(name, reason="holidays")
told = client.get_schedule(name)
check("pause", told.paused is True and told.paused_reason == "holidays", told)
client.resume_schedule(name)
check("resume", client.get_schedule(name).paused is False)
save(description="changed")
check("saving again changes it", client.get_schedule(name).description == "changed")
times = client.get_next_few_schedule_execution_times("0 0 9 ? * MON-FRI", schedule_start_time=1767225600000, limit=3)
seen("next times", times)
check("next times", len(times) == 3, times)
found = client.search_schedule_executions(start=0, size=5, query=f"scheduleName IN ({name})")
check("search of executions answers a page", found.results == [] or found.results is None, found)
client.delete_schedule(name)
seen("get of a missing one", status_of(lambda: client.get_schedule(name)))
seen("pause of a missing one", status_of(lambda: client.pause_schedule(name)))
seen("delete of a missing one", status_of(lambda: client.delete_schedule(name)))
