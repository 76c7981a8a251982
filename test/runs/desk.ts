/** A small owner of runs: a desk starts runs and counts the reports of their ends. */
import type { MutableNode } from '../../packages/carillon/src/engine/index.ts';
import { defineComponent, defineLibrary, stateOf } from '../../packages/carillon/src/engine/index.ts';
import type { Handler } from '../../packages/carillon/src/runs/context.ts';
import type { NewRun } from '../../packages/carillon/src/runs/run.ts';
import { newRun } from '../../packages/carillon/src/runs/run.ts';
import type { Archetype } from '../../packages/carillon/src/runtime/archetype.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';

export interface DeskState {
  /** Outcomes by run, in the order in which they were reported. */
  readonly told: Readonly<Record<string, readonly string[]>>;
}

export const Desk = defineComponent({ name: 'desk', state: stateOf<DeskState>() });

export const deskKey = (id: string) => ({ namespace: 'default', archetype: 'desk', id });

export function deskLibrary(onFinished: (desk: MutableNode<typeof Desk>, run: RunRow) => void = () => {}) {
  return defineLibrary({
    name: 'desk',
    root: Desk,
    tasks: [],
    runFinished: (desk, run) => {
      const told = desk.state.told[run.id] ?? [];
      desk.set({ told: { ...desk.state.told, [run.id]: [...told, run.outcome ?? '?'] } });
      onFinished(desk, run);
    },
  });
}

export function startAt(
  desk: MutableNode<typeof Desk>,
  fields: Partial<NewRun> & { readonly id: string },
): undefined {
  const { now, incarnation: owner } = desk;
  desk.startRun(newRun({ namespace: 'default', queue: 'main', name: 'work', now, owner, ...fields }));
}

/** The use cases of desks. */
export interface Desks {
  create(id: string): Promise<void>;
  start(id: string, run: Partial<NewRun> & { readonly id: string }): Promise<void>;
  told(id: string): Promise<DeskState['told']>;
}

export interface DeskOptions {
  /** Works on the runs of its desks, on a queue of its own. */
  readonly handler?: Handler<never>;
  readonly onFinished?: (desk: MutableNode<typeof Desk>, run: RunRow) => void;
}

export const deskQueue = 'desk';

/** Desks as an archetype with a queue of its own, brought to a runtime from outside the library. */
export function deskArchetype({
  handler = () => 'done',
  onFinished,
}: DeskOptions = {}): Archetype<Desks, typeof Desk> {
  const library = deskLibrary(onFinished);
  return {
    name: library.name,
    library: () => library,
    queues: () => ({ [deskQueue]: { concurrency: 10, handlers: { work: handler } } }),
    services: ({ engine }) => ({
      create: async (id) => {
        await engine.create(library, { namespace: 'default', id }, { told: {} }, () => undefined);
      },
      start: async (id, run) => {
        await engine.update(Desk, deskKey(id), (desk) => startAt(desk, { queue: deskQueue, ...run }));
      },
      told: async (id) => await engine.read(Desk, deskKey(id), (desk) => desk.state.told),
    }),
  };
}
