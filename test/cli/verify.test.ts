/** `verify` against a server, and against files that were damaged on purpose. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { openDatabase } from '../../packages/carillon/src/store/sqlite/driver.ts';
import * as shape from '../../packages/server/src/door/native/schemas.ts';
import { DoorStage } from '../door/door-stage.ts';
import { until } from '../support/until.ts';
import { carillon } from './command-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-verify-'));
const healthy = join(scratch, 'healthy.db');

/** A schedule that ran for a few seconds, and one that could not keep up. */
beforeAll(async () => {
  const own = await openCarillon({ store: `sqlite:${healthy}` });
  const ends: (() => void)[] = [];
  own.handle('quick', () => 'done');
  own.handle('slow', async () => await new Promise<void>((resolve) => ends.push(resolve)));
  await own.start();
  await own.schedules.create('ticking', { every: '1s', run: 'quick', catchup: '1h' });
  await own.schedules.create('busy', { every: '1s', run: 'slow' });
  await until(async () => {
    const { items } = await own.schedules.slots('ticking', { limit: 10 });
    const busy = await own.schedules.slots('busy', { limit: 10 });
    const skipped = busy.items.find(({ verdict }) => verdict === 'skippedOverlap');
    return items.length >= 4 && (skipped?.count ?? 0) >= 2;
  });
  for (const end of ends) end();
  await own.stop();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let copies = 0;

/** A copy of the file after these statements. */
function damaged(...statements: readonly string[]): string {
  copies += 1;
  const path = join(scratch, `copy-${copies}.db`);
  copyFileSync(healthy, path);
  const database = openDatabase(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

async function verify(path: string, ...more: readonly string[]) {
  const { code, stdout, stderr } = await carillon(['verify', '--db', path, '--json', ...more]);
  expect(stderr).toBe('');
  const found = JSON.parse(stdout) as {
    schedules: readonly {
      id: string;
      slots: number;
      findings: readonly { kind: string; nominal: string; cause: string }[];
    }[];
  };
  return { code, schedules: found.schedules };
}

const kinds = ({ schedules }: Awaited<ReturnType<typeof verify>>) =>
  schedules.flatMap(({ id, findings }) => findings.map(({ kind }) => `${id} ${kind}`));

const row = (id: string) => `(select row from executions where id = '${id}')`;
const second = `(select nominal from slots where execution = ${row('ticking')} order by nominal limit 1 offset 1)`;

describe('a file that no process has open', () => {
  test('is found whole', async () => {
    const { code, stdout } = await carillon(['verify', '--db', healthy]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^SCHEDULE +RESULT +SLOTS +ROWS +RUNS +VERSIONS/);
    expect(stdout).toMatch(/busy +ok/);
    expect(stdout).toMatch(/ticking +ok/);
    expect(stdout).toMatch(
      /All \d+ slots of 2 schedules have exactly one verdict, every start has its run\.\n$/,
    );
  });

  test('a deleted row is named with its slot', async () => {
    const database = openDatabase(healthy);
    const nominal = database.prepare(`select ${second}`).all()[0]?.[0] as number;
    database.close();
    const path = damaged(`delete from slots where execution = ${row('ticking')} and nominal = ${second}`);
    const result = await verify(path);
    expect(result.code).toBe(1);
    expect(kinds(result)).toEqual(['ticking missing', 'ticking runUnknown']);
    const at = new Date(nominal).toISOString().replace('.000Z', 'Z');
    expect(result.schedules.find(({ id }) => id === 'ticking')?.findings[0]).toMatchObject({
      nominal: at,
      cause: 'auto',
    });
    const text = await carillon(['verify', 'ticking', '--db', path]);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(`missing     ${at}: no verdict`);
    expect(text.stdout).toContain('2 findings in 1 of 1 schedule.');
  });

  test('a doubled row is named', async () => {
    const stretch = `execution = ${row('busy')} and verdict = 'skippedOverlap'`;
    const path = damaged(
      `insert into slots select execution, until, cause, until, 1, 'missedWindow', at, null, null from slots where ${stretch}`,
    );
    expect(kinds(await verify(path))).toEqual(['busy doubled']);
  });

  test('a stretch of the wrong length, an unexpected verdict, a run that is gone', async () => {
    const stretch = `execution = ${row('busy')} and verdict = 'skippedOverlap'`;
    expect(kinds(await verify(damaged(`update slots set count = count + 1 where ${stretch}`)))).toEqual([
      'busy miscounted',
    ]);
    const odd = `insert into slots select execution, nominal + 500, cause, nominal + 500, 1, 'paused', at, null, null from slots where execution = ${row('ticking')} and nominal = ${second}`;
    expect(kinds(await verify(damaged(odd)))).toEqual(['ticking unexpected']);
    const gone = `delete from runs where id = (select run_id from slots where execution = ${row('ticking')} and nominal = ${second})`;
    expect(kinds(await verify(damaged(gone)))).toEqual(['ticking runMissing']);
  });

  test('a changed spec does not fit the ledger any more', async () => {
    const path = damaged(
      `update parts set data = replace(data, '"everyMs":1000', '"everyMs":2000') where execution = ${row('ticking')} and name = 'definition'`,
    );
    expect(new Set(kinds(await verify(path)))).toEqual(new Set(['ticking unexpected']));
  });

  test('what was told to be forgotten is not missed', async () => {
    const path = damaged(`delete from slots where execution = ${row('ticking')} and nominal = ${second}`);
    const result = await verify(path, '--kept-ledger', '0s', '--kept-ledger-rows', '1');
    expect(kinds(result)).toEqual([]);
  });

  test('a file that is not there is not made', async () => {
    const { code, stderr } = await carillon(['verify', '--db', join(scratch, 'nothing.db')]);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no file');
    expect((await carillon(['verify', '--db', healthy, '--from', 'monday'])).code).toBe(2);
    expect((await carillon(['verify', 'absent', '--db', healthy])).code).toBe(1);
  });

  test('is looked at by lint and dst as well', async () => {
    const lint = await carillon(['lint', '--db', healthy, '--json']);
    expect(JSON.parse(lint.stdout)).toMatchObject({ checked: 2, counts: { error: 0 } });
    const dst = await carillon(['dst', '--db', healthy]);
    expect(dst.stdout).toContain('2 schedules are not touched by any clock change');
  });
});

describe('a server', () => {
  let stage: DoorStage;
  beforeAll(async () => {
    stage = await DoorStage.open();
  });
  afterAll(async () => await stage.server.stop());

  test('is verified while it works, over several versions and pauses', async () => {
    const client = new CarillonClient({ url: stage.server.url });
    const { schedules } = client;
    await schedules.create('live', { every: '1s', run: 'work', zone: 'America/New_York' });
    await stage.until('/schedules/live/slots', ({ body }) => body.items.length >= 1);
    await schedules.patch('live', { every: '2s' });
    await schedules.pause('live');
    await schedules.resume('live');
    await schedules.trigger('live');
    await schedules.backfill('live', { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:20Z' });
    const history = await schedules.versions('live');
    expect(history.versions.map(({ spec }) => spec.intervals?.[0]?.everyMs)).toEqual([
      1000, 2000, 2000, 2000,
    ]);
    expect(history.versions.map(({ paused }) => paused === null)).toEqual([true, true, false, true]);
    expect(shape.history.safeParse(history)).toMatchObject({ success: true });
    expect(history).toMatchObject({
      closedAt: null,
      incident: null,
      versions: [{ seed: 'default-live' }, {}, {}, {}],
    });
    const { code, stdout } = await carillon(['verify'], { url: stage.server.url });
    expect(stdout).toMatch(/live +ok/);
    expect(code).toBe(0);
    const dst = await carillon(['dst', 'live'], { url: stage.server.url });
    expect(dst.stdout).toContain('1 schedule is not touched');
    const lint = await carillon(['lint', '--all', '--json'], { url: stage.server.url });
    expect(JSON.parse(lint.stdout).findings.map(({ code: rule }: { code: string }) => rule)).toContain(
      'too-frequent',
    );
  });
});
