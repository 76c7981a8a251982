import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseInstant } from '../../packages/carillon/src/base/time.ts';
import type { NodeInfo } from '../../packages/carillon/src/client/index.ts';
import { nodesText, silencesText } from '../../packages/server/src/cli/nodes.ts';
import { DoorStage } from '../door/door-stage.ts';
import { carillon } from './command-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => {
  await stage.server.stop();
});

const node: NodeInfo = {
  id: 'n1',
  name: 'alpha',
  state: 'alive',
  version: '0.1.0',
  startedAt: '2026-03-01T08:00:00Z',
  seenAt: '2026-03-01T08:59:55Z',
  lagMs: 0,
  skewMs: 0,
  timeZoneVersion: '2026a',
  queues: ['default'],
  handlers: {},
  activeRuns: 2,
};
const context = {
  now: parseInstant('2026-03-01T09:00:00Z') ?? (0 as never),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
  colors: { stdout: false, stderr: false },
};

describe('carillon nodes', () => {
  test('lists the node that answers, as a table and as JSON', async () => {
    const { code, stdout, stderr } = await carillon(['nodes'], { url: stage.server.url });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^NODE +STATE +VERSION +STARTED +SEEN +LAG +CLOCK +ZONES +RUNS +QUEUES\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    const json = await carillon(['nodes', '--json'], { url: stage.server.url });
    const { items } = JSON.parse(json.stdout) as { readonly items: readonly NodeInfo[] };
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      state: 'alive',
      lagMs: 0,
      timeZoneVersion: expect.stringMatching(/^20\d\d[a-z]$/),
    });
  });

  test('says which way a clock is off, how late a node is and for how long it was silent', () => {
    const silent = {
      ...node,
      name: 'beta',
      state: 'silent' as const,
      skewMs: -1500,
      lagMs: 90_000,
      seenAt: '2026-03-01T08:50:00Z',
    };
    const [, first, second] = nodesText([{ ...node, skewMs: 20 }, silent], context).split('\n');
    expect(first).toMatch(/^alpha +alive +0\.1\.0 +1 h ago +5 s ago +0s +20ms ahead +2026a +2 +default$/);
    expect(second).toMatch(
      /^beta +silent +0\.1\.0 +1 h ago +10 min ago +1m30s +1s500ms behind +2026a +2 +default$/,
    );
  });

  test('tells when no node was alive, the newest of many', () => {
    const silences = Array.from({ length: 7 }, (_, day) => ({
      from: `2026-03-0${day + 1}T01:00:00Z`,
      to: `2026-03-0${day + 1}T01:30:00Z`,
    }));
    expect(silencesText([])).toBe('');
    const lines = silencesText(silences).trim().split('\n');
    expect(lines[0]).toBe('No node was alive:');
    expect(lines[1]).toBe('  2026-03-07T01:00:00Z to 2026-03-07T01:30:00Z (30m)');
    expect(lines.at(-1)).toBe('  and 2 earlier times (--json)');
    expect(lines).toHaveLength(7);
  });

  test('points at living nodes that compute differently, and not at dead ones', () => {
    const older = { ...node, timeZoneVersion: '2025b', version: '0.0.9' };
    expect(nodesText([node, older], context)).toContain('different versions');
    expect(nodesText([node, older], context)).toContain('different time zone tables');
    expect(nodesText([node, { ...older, state: 'silent' }], context)).not.toContain('different');
  });
});
