import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import type { CarillonEvent } from '../../packages/carillon/src/service/event.ts';
import { EventHub } from '../../packages/server/src/door/native/event-hub.ts';
import { streamedEvent } from '../../packages/server/src/door/native/event-schema.ts';
import { eventStream } from '../../packages/server/src/door/native/event-stream.ts';
import { DoorStage } from './door-stage.ts';

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream until it has enough events. */
async function listen(
  url: string,
  enough: (told: readonly Told[]) => boolean,
  options: { headers?: Record<string, string>; ready?: () => Promise<unknown> } = {},
): Promise<readonly Told[]> {
  const controller = new AbortController();
  const response = await fetch(url, { headers: options.headers ?? {}, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const told: Told[] = [];
  let text = '';
  const decoder = new TextDecoder();
  const ready = options.ready?.();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      if (fields.event !== undefined)
        told.push({ id: fields.id ?? '', event: fields.event, data: JSON.parse(fields.data ?? '') });
    }
    if (enough(told)) break;
  }
  controller.abort();
  await ready;
  return told;
}

test('events have the form that the OpenAPI document describes', async () => {
  await using stage = await DoorStage.open();
  const { body } = await stage.call('/openapi.json');
  const { get } = body.paths['/events'];
  expect(get.responses[200].content['text/event-stream'].schema).toEqual({
    $ref: '#/components/schemas/Event',
  });
  const types = get.parameters.find(({ name }: { name: string }) => name === 'type').schema.items.enum;
  const described = (
    body.components.schemas.Event.anyOf as readonly { properties?: { type?: { const: string } } }[]
  ).flatMap(({ properties }) => properties?.type?.const ?? []);
  expect(new Set(described)).toEqual(new Set(types));
  const wanted = ['slot', 'started', 'finished', 'edited', 'closed', 'enqueued', 'changed'];
  const told = await listen(
    `${stage.server.url}/api/v1/events`,
    (all) =>
      wanted.every((type) => all.some(({ event }) => event === type)) &&
      all.some(({ event, data }) => event === 'finished' && data.schedule === null),
    {
      ready: async () => {
        await stage.create('live');
        await stage.call('/schedules/live:trigger', { method: 'POST' });
        await stage.call('/runs', { body: { run: 'work' } });
        await stage.call('/schedules/live', { method: 'DELETE' });
      },
    },
  );
  for (const { data } of told) expect(streamedEvent.safeParse(data).error).toBeUndefined();
  expect(streamedEvent.safeParse({ type: 'slot' }).success).toBe(false);
});

test('changes and runs are sent as they happen, to the readers that asked for them', async () => {
  await using stage = await DoorStage.open();
  await stage.create('live');
  await stage.create('other');
  const told = await listen(
    `${stage.server.url}/api/v1/events?schedule=live`,
    (all) =>
      ['slot', 'started', 'finished', 'changed'].every((type) => all.some(({ event }) => event === type)),
    {
      ready: async () => {
        await stage.call('/schedules/other:trigger', { method: 'POST' });
        await stage.call('/schedules/live:trigger', { body: { scheduledAt: '2026-01-01T00:00:00Z' } });
      },
    },
  );
  expect(told.every(({ data }) => data.schedule === 'live')).toBe(true);
  expect(told.find(({ event }) => event === 'started')?.data).toMatchObject({
    cause: 'trigger:1',
    nominal: '2026-01-01T00:00:00Z',
  });
  expect(told.find(({ event }) => event === 'finished')?.data).toMatchObject({ outcome: 'completed' });
});

test('a reader that reconnects with its last id misses nothing; one that was away too long gets a reset', async () => {
  await using stage = await DoorStage.open();
  await stage.create('live', { overlap: 'allowAll' });
  const url = `${stage.server.url}/api/v1/events`;
  const trigger = () => stage.call('/schedules/live:trigger', { method: 'POST' });
  const [first] = await listen(url, (all) => all.length > 0, { ready: trigger });
  await trigger();
  const again = await listen(
    `${url}?type=started`,
    (all) => all.some(({ data }) => data.cause === 'trigger:2'),
    {
      headers: { 'last-event-id': first?.id ?? '' },
    },
  );
  expect(again.at(-1)?.data.cause).toBe('trigger:2');
  const [reset] = await listen(url, (all) => all.length > 0, { headers: { 'last-event-id': 'old.7' } });
  expect(reset?.event).toBe('reset');
});

test('a reader gets only events of its namespace, and a stopping server ends its streams', async () => {
  const stage = await DoorStage.open();
  await stage.call('/namespaces/n/schedules', { body: { id: 's', every: '1h', run: 'work' } });
  const told = await listen(
    `${stage.server.url}/api/v1/namespaces/n/events?type=slot`,
    (all) => all.length > 0,
    {
      ready: async () => {
        await stage.create('mine');
        await stage.call('/schedules/mine:trigger', { method: 'POST' });
        await stage.call('/namespaces/n/schedules/s:trigger', { method: 'POST' });
      },
    },
  );
  expect(told[0]?.data.schedule).toBe('s');
  const response = await fetch(`${stage.server.url}/api/v1/events`);
  await stage.server.stop();
  await response.text();
});

test('events of runs that were enqueued by hand are sent, without a schedule', async () => {
  await using stage = await DoorStage.open();
  let id: unknown;
  const told = await listen(
    `${stage.server.url}/api/v1/events?type=enqueued&type=started&type=finished`,
    (all) => all.length === 3,
    {
      ready: async () => {
        id = (await stage.call('/runs', { body: { run: 'work' } })).body.id;
      },
    },
  );
  expect(told.map(({ event, data }) => [event, data.runId, data.schedule])).toEqual([
    ['enqueued', id, null],
    ['started', id, null],
    ['finished', id, null],
  ]);
});

/** A server with live events only, and a function that publishes any number of them. */
async function aStream() {
  const clock = new SystemClock();
  let tell: (event: CarillonEvent) => void = () => {};
  const source = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
    changes: () => () => {},
  };
  const hub = new EventHub({ events: source, clock, boot: 'life' });
  const app = fastify();
  const identify = () => ({ actor: 'a', role: 'viewer' as const, namespaces: null });
  await eventStream(app, { hub, clock, namespace: 'default', prefix: '', identify });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { app, hub, port, tell: (event: CarillonEvent) => tell(event) };
}

/** The whole text of a connection that did not read until now. */
async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) text += chunk;
  return text;
}

test('a connection that does not read gets a reset and is closed, and those that read are not', async () => {
  const { app, hub, port, tell } = await aStream();
  const stalled = connect(port, '127.0.0.1');
  stalled.pause();
  stalled.write('GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  const controller = new AbortController();
  const healthy = await fetch(`http://127.0.0.1:${port}/events`, { signal: controller.signal });
  const chunks = (healthy.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let heard = 0;
  while (hub.size < 2) await setImmediate();
  // Kernels take some megabytes before a connection counts as stalled.
  const error = 'x'.repeat(4000);
  const about = { namespace: 'default', schedule: null, runId: 'r', workflowId: null, name: 'n', queue: 'q' };
  let told = 0;
  while (hub.size === 2) {
    for (let left = 256; left > 0; left -= 1) {
      tell({ type: 'finished', ...about, outcome: 'failed', attempt: 1, durationMs: 1, error });
      told += 1;
    }
    // The one that reads must not fall behind because it gets no turn of the event loop.
    while (heard < told * error.length) heard += (await chunks.next()).value?.length ?? 0;
  }
  expect(hub.size).toBe(1);
  const text = await rest(stalled);
  expect(text).toMatch(/event: reset\ndata: \{\}\n\n/);
  expect(text.length).toBeLessThan(told * error.length);
  controller.abort();
  await app.close();
});
