/** A small owner of runs: a desk starts them and keeps count of what it is told about their ends. */
import type { MutableNode } from '../../packages/carillon/src/engine/index.ts';
import { defineComponent, defineLibrary, stateOf } from '../../packages/carillon/src/engine/index.ts';
import type { NewRun } from '../../packages/carillon/src/runs/index.ts';
import { newRun } from '../../packages/carillon/src/runs/index.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';

export interface DeskState {
  /** Outcomes by run, in the order they were told. */
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
