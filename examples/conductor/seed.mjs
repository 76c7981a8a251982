// Seeds a running server with workflows and schedules in Conductor's words, and prints when each schedule runs next.
//   carillon dev                        in one terminal
//   node examples/conductor/seed.mjs    in another; CARILLON_URL names another server
import { readFileSync } from 'node:fs';

const server = process.env.CARILLON_URL ?? 'http://127.0.0.1:8080';
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

async function send(method, path, body) {
  const response = await fetch(`${server}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

await send('PUT', '/metadata/workflow', read('workflows.json'));
for (const schedule of read('schedules.json')) {
  const { name, nextRunTime } = await send('POST', '/scheduler/schedules', schedule);
  console.log(`${name}: ${nextRunTime === null ? 'paused' : new Date(nextRunTime).toISOString()}`);
}
