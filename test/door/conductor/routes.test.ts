/**
 * Every request that the official clients can make is served here or refused with a sentence; the page of workflows lists both.
 * The requests of the JavaScript clients are read from the installed packages, those of the Python client from a list.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flowOperations } from '../../../packages/server/src/door/conductor/flow/flow-door.ts';
import { refusedRoutes } from '../../../packages/server/src/door/conductor/flow/refused-routes.ts';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import type { Heard } from '../door-stage.ts';
import { DoorStage } from '../door-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The requests in the code of a JavaScript client, as `GET /workflow/{workflowId}`. */
function requestsOf(version: number): readonly string[] {
  const source = read(`node_modules/conductor-sdk-${version}/dist/index.js`);
  return [...source.matchAll(/url: *["'`]\/api(\/[^"'`]+)["'`]/g)].flatMap(({ index, 1: path = '' }) => {
    const before = source.slice(Math.max(0, index - 500), index);
    const method = [...before.matchAll(/\.(get|post|put|delete|patch)\b|method: *["'](\w+)["']/g)].at(-1);
    const word = method?.[1] ?? method?.[2];
    return word === undefined ? [] : [`${word.toUpperCase()} ${path.replace(/\$\{[^}]*\}/g, '{x}')}`];
  });
}

const python = JSON.parse(read('test/door/conductor/python-sdk-2.0.0.json')) as {
  readonly requests: readonly string[];
};

/** Requests for which the open server has no route either, and its answer is known: they get the same. */
const absent = ['GET /token/userInfo', 'GET /scheduler/test/timeout'];

/** The clients have most requests in common. */
const heard = new Map<string, Promise<Heard>>();

function ask(request: string): Promise<Heard> {
  const [method = '', path = ''] = request.split(' ');
  const answer =
    heard.get(request) ??
    stage.raw(`/api${path.replace(/\{[^}]*\}/g, 'x')}`, {
      method,
      ...(method === 'GET' ? {} : { body: {} }),
    });
  heard.set(request, answer);
  return answer;
}

test.each([
  ['JavaScript 2.4', () => requestsOf(2), 150],
  ['JavaScript 3.1', () => requestsOf(3), 230],
  ['JavaScript 4.0', () => requestsOf(4), 230],
  ['Python 2.0', () => python.requests, 200],
])('every request of the client for %s is served, or refused with a sentence', async (_, list, least) => {
  const requests = [...new Set(list())];
  expect(requests.length).toBeGreaterThan(least);
  const wrong: string[] = [];
  for (const request of requests) {
    const { status, body } = await ask(request);
    const isUnknown = /^No static resource|is not supported$/.test(String(body?.message));
    if (status >= 500 || isUnknown !== absent.includes(request)) wrong.push(`${request}: ${status}`);
    if (isUnknown) expect(body).toMatchObject({ status: 404, retryable: false });
  }
  expect(wrong).toEqual([]);
});

test('a refused route answers 404 with the reason and what to use instead', async () => {
  for (const { path, why } of refusedRoutes) {
    const asked = `/api${path.replace('/**', '/x/y').replace(/\{[^}]*\}/g, 'x')}`;
    const { status, body } = await stage.raw(asked, { method: 'PUT', body: {} });
    expect([asked, status, body.retryable]).toEqual([asked, 404, false]);
    expect(body.message).toBe(`PUT ${asked} is not served here: ${why}`);
  }
});

/** `POST /workflow/{id}/retry` as it is written on the page, where names in braces are left out: `{}`. */
const shape = (path: string) => path.replace(/\{[^}]*\}/g, '{}');

test('the page lists every route that is served and every one that is refused', () => {
  const [, section = ''] = read('docs/conductor-workflows.md').split('\n## Served, and refused\n');
  const [page = ''] = section.split('\n## ', 1);
  const listed = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/[^`]*)`/g)].map(
    ({ 1: method, 2: path = '' }) => `${method} ${shape(path)}`,
  );
  expect([...listed].sort()).toEqual(
    flowOperations.map(({ method, path }) => `${method} ${shape(path)}`).sort(),
  );
  const rows = [...page.matchAll(/^\| `(\/[^`]*)` \| (.*) \|$/gm)].map(({ 1: path, 2: why }) => ({
    path,
    why,
  }));
  expect(rows).toEqual(refusedRoutes);
});
