/** A declaration means the same wherever it is carried out: by the service of this process, or at a server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClientDeclarations } from '../../packages/carillon/src/cli/client-declarations.ts';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { type Manifest, readManifest } from '../../packages/carillon/src/doctor/manifest.ts';
import { type LiveSchedule, planChanges, type SentChange } from '../../packages/carillon/src/doctor/plan.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { DeclarationPort, StepOutcome } from '../../packages/carillon/src/service/declaration.ts';
import { applyStep } from '../../packages/carillon/src/service/declaration.ts';
import { ServiceDeclarations } from '../../packages/carillon/src/service/service-declarations.ts';
import { DoorStage } from '../door/door-stage.ts';

let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open();
  client = new CarillonClient({ url: stage.server.url });
});
afterAll(async () => {
  await stage.server.stop();
});

const bodies: readonly (readonly [string, () => DeclarationPort<SentChange>])[] = [
  [
    'in this process',
    () =>
      new ServiceDeclarations({
        service: internalsOf(stage.carillon).services.schedules,
        namespace: 'default',
        caller: { actor: 'deploy', door: 'embed' },
      }),
  ],
  ['at a server', () => new ClientDeclarations(client)],
];

function declared(owner: string, schedules: object, name = 'default'): Manifest {
  const read = readManifest(JSON.stringify({ owner, name, schedules }));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.manifests[0] as Manifest;
}

async function planned(manifest: Manifest) {
  const { items: owned } = await client.schedules.list({ owner: manifest.owner, limit: 1000 });
  const found = await Promise.all(
    manifest.entries.map(async ({ id }): Promise<readonly LiveSchedule[]> => {
      const live = await client.schedules.describe(id).catch(() => undefined);
      return live === undefined || live.status === 'closed' ? [] : [live];
    }),
  );
  const live = new Map(found.flat().map((each) => [each.id, each]));
  return planChanges({ ...manifest, live, owned, takeOver: false });
}

async function applied(port: DeclarationPort<SentChange>, manifest: Manifest) {
  const outcomes: [string, string, StepOutcome][] = [];
  for (const { id, kind, step } of await planned(manifest))
    outcomes.push([id, kind, await applyStep(port, step)]);
  return outcomes.map(([id, kind, { ok }]) => `${kind} ${id}${ok ? '' : ' failed'}`);
}

const hourly = { every: '1h', run: 'work' };

describe.each(bodies)('a declaration carried out %s', (where, open) => {
  const owner = `owner-${where.replaceAll(' ', '-')}`;
  const a = `${owner}-a`;
  const b = `${owner}-b`;

  test('creates, leaves what is as declared, changes, and prunes what it made', async () => {
    const port = open();
    expect(await applied(port, declared(owner, { [a]: hourly, [b]: hourly }))).toEqual([
      `create ${a}`,
      `create ${b}`,
    ]);
    expect(await client.schedules.describe(a)).toMatchObject({ owner, declaredBy: 'manifest:default' });
    expect(await applied(port, declared(owner, { [a]: hourly, [b]: hourly }))).toEqual([
      `unchanged ${a}`,
      `unchanged ${b}`,
    ]);
    expect(await applied(port, declared(owner, { [a]: { ...hourly, every: '2h' } }))).toEqual([
      `update ${a}`,
      `prune ${b}`,
    ]);
    expect((await client.schedules.describe(a)).words).toBe('Every 2 hours');
    expect((await client.schedules.describe(b)).status).toBe('closed');
  });

  test('keeps the pause of a person and a note that it does not speak of', async () => {
    const port = open();
    const id = `${owner}-paused`;
    await applied(port, declared(owner, { [id]: hourly }, 'pausing'));
    await client.schedules.pause(id, { note: 'incident' });
    const next = declared(owner, { [id]: { ...hourly, every: '3h', paused: false } }, 'pausing');
    expect(await applied(port, next)).toEqual([`update ${id}`]);
    expect(await client.schedules.describe(id)).toMatchObject({
      words: 'Every 3 hours',
      paused: { note: 'incident' },
      note: 'incident',
    });
  });

  test('prunes nothing of another declaration of the same owner, and nothing made by hand', async () => {
    const port = open();
    const ids = { left: `${owner}-left`, right: `${owner}-right`, hand: `${owner}-hand` };
    await applied(port, declared(`${owner}2`, { [ids.left]: hourly }, 'left'));
    await applied(port, declared(`${owner}2`, { [ids.right]: hourly }, 'right'));
    await client.schedules.create(ids.hand, { ...hourly, owner: `${owner}2` });
    expect(await applied(port, declared(`${owner}2`, {}, 'left'))).toEqual([`prune ${ids.left}`]);
    const { items } = await client.schedules.list({ owner: `${owner}2` });
    expect(items.map(({ id }) => id)).toEqual([ids.hand, ids.right]);
  });

  test('a change since it was read is an outcome, and changes nothing', async () => {
    const port = open();
    const id = `${owner}-moved`;
    await applied(port, declared(owner, { [id]: hourly }, 'moving'));
    const [change] = await planned(declared(owner, { [id]: { ...hourly, every: '2h' } }, 'moving'));
    const [doomed] = await planned(declared(owner, {}, 'moving'));
    await client.schedules.pause(id);
    for (const each of [change, doomed]) {
      if (each === undefined) throw new Error('nothing planned');
      expect(await applyStep(port, each.step)).toMatchObject({ ok: false, moved: true });
    }
    expect(await client.schedules.describe(id)).toMatchObject({ words: 'Every hour', status: 'paused' });
    const [again] = await planned(declared(owner, { [id]: hourly }, 'moving'));
    expect(again?.kind).toBe('unchanged');
  });

  test('a refusal of another kind is an outcome too', async () => {
    const port = open();
    const id = 'x'.repeat(1000);
    const [{ draft, input } = {}] = declared(owner, { fine: hourly }).entries;
    if (draft === undefined || input === undefined) throw new Error('no entry');
    const outcome = await applyStep(port, { kind: 'create', id, change: { draft, input } });
    expect(outcome).toMatchObject({ ok: false, moved: false, error: { reason: 'INVALID' } });
  });
});
