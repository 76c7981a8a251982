/** `carillon dev` as the user of a Temporal client sees it. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../../../packages/server/src/cli/bin.ts', import.meta.url));

test('opens the Temporal door, on the next port when the wanted one is busy, and says where', async () => {
  const squatter = createServer();
  const wanted = await new Promise<number>((resolve) => {
    squatter.listen(0, '127.0.0.1', () => resolve((squatter.address() as { port: number }).port));
  });
  const args = ['dev', '--json', '--db', ':memory:', '--http-port', '0', '--grpc-port', String(wanted)];
  const child = spawn(process.execPath, ['--import', 'tsx', bin, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  const ready = JSON.parse(line) as { grpc: string; grpcPort: number; wantedGrpcPort: number };
  expect(ready.wantedGrpcPort).toBe(wanted);
  expect(ready.grpcPort).toBeGreaterThan(wanted);
  expect(ready.grpc).toBe(`127.0.0.1:${ready.grpcPort}`);
  const connection = await Connection.connect({ address: ready.grpc });
  const ids: string[] = [];
  for await (const { scheduleId } of new Client({ connection }).schedule.list()) ids.push(scheduleId);
  expect(ids).toContain('demo-hello');
  await connection.close();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(complaints).toBe('');
  squatter.close();
});
