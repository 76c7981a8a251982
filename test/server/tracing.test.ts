import { fileURLToPath } from 'node:url';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { activeTracing, findApi } from '../../packages/carillon/src/tracing/tracer.ts';
import { readConfig, settingsOf } from '../../packages/server/src/server/config.ts';
import { runConfig } from '../../packages/server/src/server/run-config.ts';
import { tracesUrl } from '../../packages/server/src/server/tracing.ts';
import { Target } from '../action/target.ts';
import { OtlpReceiver } from '../support/otlp-receiver.ts';
import { until } from '../support/until.ts';

const handlers = fileURLToPath(new URL('./tracing-handlers.ts', import.meta.url));

async function hasRun(url: string, schedule: string): Promise<true | undefined> {
  const answer = await fetch(`${url}/api/v1/schedules/${schedule}/runs`);
  const { items } = (await answer.json()) as { readonly items: readonly { readonly state: string }[] };
  return items[0]?.state === 'done' ? true : undefined;
}

test('a request, the run it starts and what the run asks for can be followed from one to the next', async () => {
  await using receiver = await OtlpReceiver.open();
  await using target = await Target.open();
  const config = readConfig(
    { store: 'memory:', http: { port: 0 }, log: { level: 'silent' }, allowPrivateTargets: true },
    settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: 'bells' }),
  );
  const server = await runConfig(config);
  const call = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    await fetch(`${server.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const http = { url: `${target.url}?key=hidden`, allowPrivate: true };
  await call('/schedules', { id: 'hook', every: '1h', http });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await call('/schedules/hook:trigger', {}, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  await target.until(1);
  await until(async () => {
    return await hasRun(server.url, 'hook');
  });
  await server.stop();
  expect(receiver.odd).toEqual([]);

  const asked = receiver.named('POST triggerSchedule');
  expect(asked).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2, service: 'bells' });
  expect(asked.attributes).toMatchObject({
    'http.response.status_code': 200,
    'carillon.operation': 'triggerSchedule',
  });
  const run = receiver.named('run http');
  expect(run.links).toMatchObject([{ traceId, spanId: asked.spanId }]);
  expect(run.parentSpanId ?? '').toBe('');
  expect(run.traceId).not.toBe(traceId);
  expect(run.attributes).toMatchObject({
    'carillon.schedule': 'hook',
    'carillon.cause': 'trigger:1',
    'carillon.run.attempt': 1,
    'carillon.outcome': 'completed',
    'carillon.namespace': 'default',
  });
  expect(run.attributes['carillon.nominal']).toMatch(/^20\d\d-.*Z$/);
  expect(run.attributes['carillon.run.id']).toEqual(expect.any(String));
  const sent = receiver.named('POST');
  expect(sent).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId, kind: 3 });
  expect(sent.attributes['url.full']).toBe(target.url);
  expect(target.asked[0]?.headers.traceparent).toBe(`00-${sent.traceId}-${sent.spanId}-01`);
  // The tracer that the server registered is unregistered when it stops.
  expect(activeTracing()).toBeUndefined();
});

test('spans show failures, and a handler can add its own', async () => {
  await using receiver = await OtlpReceiver.open();
  const server = await runConfig(
    readConfig({
      store: 'memory:',
      http: { port: 0 },
      log: { level: 'silent' },
      handlers,
      tracing: { endpoint: receiver.url },
    }),
  );
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await fetch(`${server.url}/api/v1/schedules`, {
    ...post,
    body: '{"id":"a","every":"1s","run":"failing"}',
  });
  await until(async () => {
    return await hasRun(server.url, 'a');
  });
  await server.stop();
  const run = receiver.named('run failing');
  expect(run).toMatchObject({
    status: 2,
    attributes: { 'carillon.outcome': 'failed', 'carillon.cause': 'auto' },
  });
  expect(receiver.named('inside')).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId });
  expect(receiver.named('step').attributes['carillon.executions']).toBeGreaterThanOrEqual(1);
});

test('an SDK that the embedding program has registered gets the spans', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  onTestFinished(async () => {
    await provider.shutdown();
    trace.disable();
  });
  const carillon = await openCarillon('memory:');
  onTestFinished(() => carillon.stop());
  carillon.handle('work', () => 'done');
  await carillon.start();
  const { id } = await carillon.runs.enqueue({ run: 'work' });
  const span = await until(() => exporter.getFinishedSpans().find(({ name }) => name === 'run work'));
  expect(span.attributes).toMatchObject({ 'carillon.run.id': id, 'carillon.queue': 'default' });
});

test('without an SDK there is no tracer, and asking for one makes nothing', () => {
  const made = vi.spyOn(ProxyTracerProvider.prototype, 'getTracer');
  try {
    for (let round = 0; round < 1000; round += 1) expect(activeTracing()).toBeUndefined();
    expect(made).not.toHaveBeenCalled();
  } finally {
    made.mockRestore();
  }
});

test('the endpoint is that of the receiver, or of its traces', () => {
  expect(tracesUrl('http://collector:4318')).toBe('http://collector:4318/v1/traces');
  expect(tracesUrl('http://collector:4318/')).toBe('http://collector:4318/v1/traces');
  expect(tracesUrl('https://host/otlp/v1/traces')).toBe('https://host/otlp/v1/traces');
});

test('without the OpenTelemetry API there are no spans, and no error', () => {
  const absent = () => {
    throw new Error("Cannot find module '@opentelemetry/api'");
  };
  expect(findApi(absent)).toBeNull();
  expect(findApi()).toHaveProperty('trace');
});
