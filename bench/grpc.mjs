// npm run bench -- grpc [--store sqlite|memory] [--requests 20000] [--concurrency 64] [--door grpc|rest]
// How many descriptions per second one server gives: 1000 schedules, asked for by a second process over four
// connections. Needs dist/ (npm run build).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    requests: { type: 'string', default: '20000' },
    concurrency: { type: 'string', default: '64' },
    door: { type: 'string', default: 'grpc' },
    dist: { type: 'string', default: fileURLToPath(new URL('../packages', import.meta.url)) },
    client: { type: 'string' },
  },
});
const requests = Number(values.requests);
const concurrency = Number(values.concurrency);
const schedules = 1000;
const connections = 4;
const warmUp = 3000;

if (values.client === undefined) await serve();
else await ask(values.client);

async function serve() {
  const { openCarillon } = await import(`${values.dist}/carillon/dist/main.js`);
  const { startServer } = await import(`${values.dist}/server/dist/server/index.js`);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const store = values.store === 'memory' ? 'memory:' : `sqlite:${join(folder, 'bench.db')}`;
  const carillon = await openCarillon({ store, durability: 'fast' });
  carillon.handle('work', () => 'done');
  const server = await startServer({ carillon, port: 0, grpc: { port: 0 } });
  await createAll(server.grpc.address);
  const target = values.door === 'rest' ? server.url : server.grpc.address;
  const before = process.cpuUsage();
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--client', target],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  await new Promise((resolve) => child.on('exit', resolve));
  const { user, system } = process.cpuUsage(before);
  console.log(`server CPU per request: ${((user + system) / (requests + warmUp)).toFixed(0)} µs`);
  await server.stop();
  rmSync(folder, { recursive: true });
}

async function createAll(address) {
  const { Client, Connection } = await import('@temporalio/client');
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  for (let from = 0; from < schedules; from += 100) {
    const ids = Array.from({ length: 100 }, (_, n) => `schedule-${from + n}`);
    await Promise.all(
      ids.map(async (scheduleId) => {
        const handle = await client.schedule.create({
          scheduleId,
          spec: {
            calendars: [{ hour: 9, dayOfWeek: { start: 'MONDAY', end: 'FRIDAY' } }],
            timezone: 'Europe/Berlin',
            jitter: '10s',
          },
          action: {
            type: 'startWorkflow',
            workflowType: 'work',
            taskQueue: 'default',
            args: [{ hello: 'world' }],
          },
          memo: { owner: 'bench' },
        });
        // Three finished runs each, so that there is something to tell.
        for (let n = 0; n < 3; n += 1) await handle.trigger();
      }),
    );
  }
  await connection.close();
}

async function ask(target) {
  const call = values.door === 'rest' ? await overRest(target) : await overGrpc(target);
  await spread(call, warmUp, []);
  const took = [];
  const began = performance.now();
  await spread(call, requests, took);
  const seconds = (performance.now() - began) / 1000;
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(took.length * share)].toFixed(1);
  console.log(
    `${values.door} describe, ${values.store}: ${Math.round(requests / seconds)} req/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${concurrency} at once)`,
  );
  // The connections would keep the process.
  process.exit(0);
}

async function spread(call, count, took) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      const began = performance.now();
      await call(n % schedules, n % connections);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

/** Bare HTTP/2: a full client would spend more on a call than the server does. */
async function overGrpc(address) {
  const { connect } = await import('node:http2');
  const sessions = Array.from({ length: connections }, () => connect(`http://${address}`));
  const headers = {
    ':method': 'POST',
    ':path': '/temporal.api.workflowservice.v1.WorkflowService/DescribeSchedule',
    'content-type': 'application/grpc+proto',
    te: 'trailers',
  };
  const bodies = Array.from({ length: schedules }, (_, n) => {
    const text = (number, value) =>
      Buffer.concat([Buffer.from([number * 8 + 2, value.length]), Buffer.from(value)]);
    const message = Buffer.concat([text(1, 'default'), text(2, `schedule-${n}`)]);
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(message.length, 1);
    return Buffer.concat([frame, message]);
  });
  return (n, session) =>
    new Promise((resolve, reject) => {
      const stream = sessions[session].request(headers);
      stream.on('trailers', (trailers) => {
        if (trailers['grpc-status'] !== '0') reject(new Error(`status ${trailers['grpc-status']}`));
      });
      stream.on('data', () => {});
      stream.on('end', resolve);
      stream.on('error', reject);
      stream.end(bodies[n]);
    });
}

async function overRest(url) {
  const { Pool } = await import('undici');
  const pool = new Pool(url, { connections, pipelining: 16 });
  return async (n) => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `/api/v1/schedules/schedule-${n}`,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  };
}
