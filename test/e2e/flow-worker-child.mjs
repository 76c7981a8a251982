// A worker of Conductor tasks in a process of its own, over plain REST. Arguments: the server, the task type. Works until it is killed.
import { setTimeout as sleep } from 'node:timers/promises';

const [url, type] = process.argv.slice(2);

async function ask(path, body) {
  try {
    const response = await fetch(`${url}/api/tasks${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return response.status === 200 ? await response.json() : undefined;
  } catch {
    // The server is gone for now.
    await sleep(50);
    return undefined;
  }
}

for (;;) {
  const tasks = (await ask(`/poll/batch/${type}?workerid=${process.pid}&count=5&timeout=200`)) ?? [];
  for (let [task, ...rest] = tasks; task !== undefined; [task, ...rest] = rest) {
    await sleep(5);
    const { taskId, workflowInstanceId, inputData } = task;
    const next = await ask('/update-v2', {
      taskId,
      workflowInstanceId,
      status: 'COMPLETED',
      outputData: { n: inputData.n ?? 0 },
    });
    if (next !== undefined) rest.push(next);
  }
}
