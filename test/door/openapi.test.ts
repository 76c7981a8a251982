import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../packages/server/src/door/native/native-door.ts';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => await stage.server.stop());

test('the document has every operation, and every reference leads somewhere', async () => {
  const { body } = await stage.call('/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  expect(ids.sort()).toEqual([...operations.map(({ id }) => id), 'streamEvents'].sort());
  const names = new Set(Object.keys(body.components.schemas));
  const text = JSON.stringify(body);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] as string);
  expect(references.length).toBeGreaterThan(20);
  for (const reference of references) {
    expect(reference).toMatch(/^#\/components\/schemas\//);
    expect(names).toContain(reference.slice('#/components/schemas/'.length));
  }
  expect(text).not.toContain('$defs');
});

test('the document has the limits of what may be sent', async () => {
  const { body } = await stage.call('/openapi.json');
  const { NewSchedule, ScheduleInput } = body.components.schemas;
  expect(NewSchedule.required).toEqual(['id']);
  expect(NewSchedule.additionalProperties).toBe(false);
  expect(ScheduleInput.properties.overlap.enum).toContain('bufferOne');
  expect(ScheduleInput.properties.startAt).toEqual({ type: ['string', 'number'] });
  const list = body.paths['/schedules'].get;
  expect(list.parameters.find(({ name }: { name: string }) => name === 'limit').schema).toMatchObject({
    type: 'integer',
    maximum: 1000,
    default: 100,
  });
  expect(Object.keys(body.paths['/schedules/{id}'].put.responses)).toEqual(['200', '201', 'default']);
  expect(body.paths['/schedules/{id}:pause'].post.requestBody.required).toBe(false);
  expect(body.paths['/schedules/{id}'].put.requestBody.required).toBe(true);
  expect(body.paths['/schedules/{id}:backfill'].post.requestBody.required).toBe(true);
});

test('the page for people needs nothing from anywhere and allows nothing', async () => {
  const { status, headers, body } = await stage.call('/docs');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(body).not.toMatch(/<script|src=|https?:\/\//);
  for (const { id } of operations) expect(body).toContain(`<details id="${id}">`);
});
