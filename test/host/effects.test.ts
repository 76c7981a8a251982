/** The effects of changes of a workflow, shown before the changes are made, in words by which a person can decide. */
import { describe, expect, test } from 'vitest';
import { defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import type { HostSubject } from '../../packages/carillon/src/service/hosts/host-effects.ts';
import type { HostService } from '../../packages/carillon/src/service/hosts/host-service.ts';
import type { Caller } from '../../packages/carillon/src/service/schedule-service.ts';
import { HostStage } from './host-stage.ts';
import { gate } from './parts.ts';

interface Steps {
  readonly look?: () => unknown;
  /** Which of the pending ids to take; default all. */
  readonly choose?: (ids: readonly string[]) => readonly string[];
  readonly change?: () => unknown;
}

/** A producer each hour, and a consumer whose change has its own name. */
function booking({ look, choose = (ids) => ids, change = () => 'booked' }: Steps) {
  return defineWorkflow({ name: 'w', topics: { t: topic<{ id: string }>() } })
    .producer('look', {
      schedule: { interval: '1h' },
      publishes: ['t'],
      handler: async () => (await look?.()) as undefined,
    })
    .consumer('book', {
      subscribe: ['t'],
      prepare: async (ctx) => {
        const ids = choose((await ctx.peek('t')).map(({ id }) => id));
        return { reservations: [{ topic: 't' as const, ids }], data: null };
      },
      mutate: async (ctx) => await ctx.change('book', { run: change }),
    });
}

const name = { namespace: 'default', id: 'w' };

/** A stage whose workflow would do these things, and the effects of changes in it. */
async function open(steps: Steps = {}) {
  const stage = await HostStage.open({ workflows: [booking(steps)], settings: { phaseLimit: '1d' } });
  const hostsOf = (): HostService => stage.internals().services.hosts;
  const told = async (change: (hosts: HostService, by: Caller) => Promise<unknown>, about?: HostSubject) =>
    await hostsOf().effects(name, { actor: 'ada', door: 'test' }, (by) => change(hostsOf(), by), about);
  const publishing = async (...messages: readonly { readonly id?: string; readonly payload?: unknown }[]) => {
    const sent = messages.map(({ id, payload = { id } }) => ({
      topic: 't',
      payload,
      ...(id === undefined ? {} : { id }),
    }));
    return (await told((hosts, by) => hosts.publish(name, sent, by), { publishes: sent })).text;
  };
  const quarantine = async () => {
    const key = { ...name, archetype: 'host' };
    await stage.internals().runtime.engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
      for (const row of batch.rows) batch.quarantine(row, new Error('broken for the test'));
    });
  };
  return {
    stage,
    told,
    publishing,
    quarantine,
    text: async (change: Parameters<typeof told>[0]) => (await told(change)).text,
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

const pausing = (hosts: HostService, by: Caller) => hosts.pause(name, by);
const resuming = (hosts: HostService, by: Caller) => hosts.resume(name, by);
const releasing = (hosts: HostService, by: Caller) => hosts.release(name, by);
const deleting = (hosts: HostService, by: Caller) => hosts.delete(name, by);
const triggering = (handler: Parameters<HostService['trigger']>[1]) => (hosts: HostService, by: Caller) =>
  hosts.trigger(name, handler, by);
const resolving = (action: 'didNotHappen' | 'skip') => (hosts: HostService, by: Caller) =>
  hosts.resolve(name, { action }, by);

describe('the effects of changes of a workflow', () => {
  test('idle: what starts is named by its handler, and nothing is written', async () => {
    await using it = await open();
    const before = await it.stage.hosts.describe('w');
    expect(await it.text(pausing)).toEqual(['The workflow pauses: only runs by hand start.']);
    const triggered = await it.told(triggering({ producer: 'look' }));
    expect(triggered.text).toEqual(["A run of producer 'look' is queued."]);
    expect(triggered.runs).toMatchObject([{ producer: 'look', becomes: 'queued' }]);
    expect(await it.text(triggering({ consumer: 'book' }))).toEqual(["A run of consumer 'book' is queued."]);
    expect(await it.publishing({ id: 'a' }, {})).toEqual([
      "2 events are published to 't'.",
      "A run of consumer 'book' is queued.",
    ]);
    expect(await it.text(resuming)).toEqual(['Nothing changes.']);
    expect(await it.text(releasing)).toEqual(['Nothing changes.']);
    expect(await it.stage.hosts.describe('w')).toEqual(before);
  });

  test('paused: events wait, and a resume says what starts next', async () => {
    await using it = await open();
    await it.stage.hosts.pause('w');
    await it.stage.advance('1s');
    expect(await it.text(pausing)).toEqual(['The workflow stays paused.']);
    expect(await it.text(resuming)).toEqual([
      'The workflow resumes.',
      "Nothing starts at once: producer 'look' is due next, at 2026-01-01T01:00:00Z.",
    ]);
    expect(await it.publishing({ id: 'a' })).toEqual([
      "1 event is published to 't'.",
      'It stays pending while the workflow is paused.',
    ]);
    await it.stage.publish('w', 't', 'a', 'b');
    expect(await it.text(resuming)).toEqual(['The workflow resumes.', "A run of consumer 'book' is queued."]);
    expect(await it.text(deleting)).toEqual([
      'The workflow is deleted.',
      '2 pending events are deleted with it.',
    ]);
  });

  test('an event that is known already is named with its state', async () => {
    await using it = await open();
    await it.stage.publish('w', 't', 'a');
    expect(await it.stage.events('w', 't')).toEqual({ consumed: ['a'] });
    expect(await it.publishing({ id: 'a' })).toEqual([
      "The event 'a' is consumed in 't' already: nothing changes.",
    ]);
    await it.stage.hosts.pause('w');
    await it.stage.publish('w', 't', 'b', 'c', 'd', 'e');
    expect(await it.publishing({ id: 'b' }, { id: 'c', payload: 'new' })).toEqual([
      "The event 'c' is pending in 't' already: its payload is replaced.",
      "The event 'b' is pending in 't' already: nothing changes.",
    ]);
    expect(await it.publishing({ id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' })).toEqual([
      '4 events are known already: nothing changes.',
    ]);
    expect(await it.publishing({ id: 'z' }, { id: 'z' })).toEqual([
      "1 event is published to 't'.",
      '1 message repeats the id of another, and is no event.',
      'It stays pending while the workflow is paused.',
    ]);
  });

  test('asleep: a new event, or a person, wakes the consumer', async () => {
    await using it = await open({ choose: () => [] });
    await it.stage.publish('w', 't', 'a');
    expect((await it.stage.consumer('w', 'book')).state).toBe('sleeping');
    const wakes = ["Consumer 'book' wakes.", "A run of consumer 'book' is queued."];
    expect(await it.publishing({ id: 'b' })).toEqual(["1 event is published to 't'.", ...wakes]);
    expect(await it.text(triggering({ consumer: 'book' }))).toEqual(wakes);
    expect(await it.publishing({ id: 'a' })).toEqual([
      "The event 'a' is pending in 't' already: nothing changes.",
    ]);
  });

  test('busy: requests and events wait for the run under way', async () => {
    const hold = gate();
    await using it = await open({ look: hold.wait });
    await it.stage.hosts.trigger('w', { producer: 'look' });
    await it.stage.advance(1);
    expect(await it.text(pausing)).toEqual([
      "The workflow pauses: the run of producer 'look' finishes, then only runs by hand start.",
    ]);
    expect(await it.text(triggering({ consumer: 'book' }))).toEqual([
      "Consumer 'book' starts after the run of producer 'look'.",
    ]);
    expect(await it.publishing({ id: 'a' }, { id: 'b' })).toEqual([
      "2 events are published to 't'.",
      "They stay pending until the run of producer 'look' has ended.",
    ]);
    await it.stage.hosts.pause('w');
    expect(await it.text(resuming)).toEqual(['The workflow resumes.', "The run of producer 'look' goes on."]);
    hold.open();
  });

  test('an uncertain change: each answer says what it makes of the change, the events and the runs', async () => {
    const lost = () => {
      throw new Error('connection reset');
    };
    await using it = await open({ change: lost });
    await it.stage.publish('w', 't', 'a', 'b');
    const { attention } = await it.stage.hosts.describe('w');
    expect(attention).toContain("find out whether the change of 'book' happened (key ");
    await expect(it.text(resuming)).rejects.toThrow(
      "it is not known whether the change of 'book' happened; resolve it first",
    );
    const unblocked = 'The workflow no longer waits for a person.';
    expect(await it.text((hosts, by) => hosts.resolve(name, { action: 'happened', result: 1 }, by))).toEqual([
      "The change of 'book' counts as made.",
      unblocked,
      "A run of consumer 'book' is queued; it goes on after the change.",
    ]);
    expect(await it.text(resolving('skip'))).toEqual([
      "The workflow goes on without the change of 'book'.",
      unblocked,
      "A run of consumer 'book' is queued; it goes on after the change.",
    ]);
    expect(await it.text(resolving('didNotHappen'))).toEqual([
      "The change of 'book' counts as not made.",
      unblocked,
      "2 events are pending again in 't'.",
      "A run of consumer 'book' is queued.",
    ]);
    expect(await it.publishing({ id: 'c' })).toEqual([
      "1 event is published to 't'.",
      'It stays pending until a person has ended the block.',
    ]);
    expect(await it.text(triggering({ consumer: 'book' }))).toEqual([
      "Consumer 'book' starts when a person has ended the block.",
    ]);
    expect(await it.stage.events('w', 't')).toEqual({ reserved: ['a', 'b'] });
  });

  test('a skip that comes too late says so', async () => {
    const hold = gate();
    await using it = await open({ change: hold.wait });
    await it.stage.publish('w', 't', 'a');
    const event = { topic: 't', id: 'a' };
    const { text } = await it.told((hosts, by) => hosts.skip(name, event, by), { skips: event });
    expect(text).toEqual([
      "Nothing changes: the run of consumer 'book' has begun its change and will consume the event 'a'.",
    ]);
    hold.open();
  });

  test('the end of a run in the middle of its change leaves the workflow to a person, and is told so', async () => {
    const hold = gate();
    await using it = await open({ change: hold.wait });
    await it.stage.publish('w', 't', 'a');
    const { runs } = it.stage.internals().services;
    const id = (await it.stage.hosts.describe('w')).work?.runId ?? '';
    const by = { actor: 'ada', door: 'test' };
    const run = { namespace: 'default', id };
    const { text } = await runs.effects(by, (caller) => runs.terminate(run, 'enough', caller));
    expect(text).toEqual([
      `Run ${id} of consumer 'book' ends at once.`,
      "The workflow 'w' then waits for a person.",
    ]);
    hold.open();
  });

  test('quarantined: a release says what starts next, and is audited with its note', async () => {
    await using it = await open();
    await it.quarantine();
    expect(await it.text(releasing)).toEqual([
      'The workflow leaves quarantine.',
      "Nothing starts at once: producer 'look' is due next, at 2026-01-01T01:00:00Z.",
    ]);
    await it.stage.advance('1h');
    expect(await it.text(releasing)).toEqual([
      'The workflow leaves quarantine.',
      "A run of producer 'look' is queued.",
    ]);
    expect((await it.stage.hosts.describe('w')).status).toBe('quarantined');
    await it.stage.hosts.release('w', { actor: 'ada', note: 'repaired' });
    expect((await it.stage.hosts.describe('w')).status).not.toBe('quarantined');
    const { items } = await it.stage.store.audit({ namespace: 'default', target: 'host/w', limit: 10 });
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'release', actor: 'ada', note: 'repaired' }),
    );
  });

  test('quarantined and paused: a release leaves the pause', async () => {
    await using it = await open();
    await it.stage.hosts.pause('w');
    await it.quarantine();
    expect(await it.text(releasing)).toEqual(['The workflow leaves quarantine.', 'It stays paused.']);
  });
});
