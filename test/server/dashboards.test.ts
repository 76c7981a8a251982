/** The board and the alerts are about metrics that exist: held against what a real server answers. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DoorStage } from '../door/door-stage.ts';
import { readExpression } from '../support/promql.ts';
import type { Scrape } from '../support/scrape.ts';
import { readScrape } from '../support/scrape.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../packages/server/observability/${name}`, import.meta.url), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity?: string };
  readonly annotations: { readonly summary?: string; readonly description?: string };
}

const board = JSON.parse(read('grafana-dashboard.json')) as {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const { groups } = parse(read('prometheus-alerts.yaml')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const targets = board.panels.flatMap(({ targets: some = [] }) => some);

let scrape: Scrape;
beforeAll(async () => {
  await using stage = await DoorStage.open();
  await stage.create('a');
  await stage.call('/schedules/a:trigger', { method: 'POST' });
  await stage.until('/schedules/a/runs', ({ body }) => body.items[0]?.state === 'done');
  scrape = readScrape((await stage.raw('/metrics')).body as string);
});

/** Histograms are asked for by the names of their parts. */
function isThere(name: string): boolean {
  if (scrape.types.has(name)) return scrape.types.get(name) !== 'histogram';
  return scrape.types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram';
}

test.each([...targets.map(({ expr }) => expr), ...rules.map(({ expr }) => expr)])('%s', (expr) => {
  const { metrics, problems } = readExpression(expr);
  expect(problems).toEqual([]);
  expect(metrics.filter((name) => !isThere(name))).toEqual([]);
});

test('labels that expressions choose by have those values in a scrape', () => {
  const chosen = [...targets, ...rules].flatMap(({ expr }) => [
    ...expr.matchAll(/([a-z_]+)\{[^}]*?\b(verdict|status|state|kind)(=|=~)"([^"]+)"/g),
  ]);
  expect(chosen.length).toBeGreaterThan(5);
  const series = [...scrape.values.keys()];
  for (const [, metric, label, , values = ''] of chosen) {
    for (const value of values.split('|')) {
      const found = series.some(
        (each) => each.startsWith(`${metric}{`) && each.includes(`${label}="${value}"`),
      );
      expect([metric, label, value, found]).toEqual([metric, label, value, true]);
    }
  }
});

test('every metric of ours is on the board or in a rule', () => {
  const used = new Set([...targets, ...rules].flatMap(({ expr }) => readExpression(expr).metrics));
  const ours = [...scrape.types.keys()].filter((name) => /^(carillon|scheduler)_/.test(name));
  const unused = ours.filter((name) =>
    ['', '_bucket', '_sum', '_count'].every((part) => !used.has(`${name}${part}`)),
  );
  expect(unused).toEqual([]);
});

test('the board is one that Grafana reads: panels with their own ids, places and targets', () => {
  expect([board.uid, board.schemaVersion]).toEqual(['carillon', 39]);
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  const cells = new Set<string>();
  for (const { type, title, gridPos, targets: some = [] } of board.panels) {
    expect(title).not.toBe('');
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type !== 'row') expect(some.length).toBeGreaterThan(0);
    expect(new Set(some.map(({ refId }) => refId)).size).toBe(some.length);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect([title, cells.has(`${x} ${y}`)]).toEqual([title, false]);
        cells.add(`${x} ${y}`);
      }
  }
  expect(board.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job']);
});

test('every alert has its own name, a severity, and says what it means and what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations, for: wait } of rules) {
    expect(alert).toMatch(/^Carillon[A-Z]\w+$/);
    expect(['critical', 'warning', 'none']).toContain(labels.severity);
    expect(annotations.summary ?? '').not.toBe('');
    expect((annotations.description ?? '').length).toBeGreaterThan(20);
    if (wait !== undefined) expect(wait).toMatch(/^\d+[smh]$/);
  }
});

test('a misspelt name, a foreign function or a lost bracket is found', () => {
  expect(readExpression('sum(rate(carillon_slot_total[5m]))').metrics).toEqual(['carillon_slot_total']);
  expect(readExpression('sums(a)').problems).toEqual(['unknown function sums']);
  expect(readExpression('sum(a').problems).toHaveLength(1);
  expect(readExpression('sum by (job) (a{b="c"} > 1e-9) and time() - c').metrics).toEqual(['a', 'c']);
});
