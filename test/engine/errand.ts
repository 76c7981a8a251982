/** A small archetype for engine tests: an errand ticks at an interval, keeps a note, and sends parcels elsewhere. */
import type { Duration, Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import type { Effect, MutableNode } from '../../packages/carillon/src/engine/index.ts';
import {
  defineComponent,
  defineLibrary,
  many,
  one,
  pureTask,
  sideEffectTask,
  stateOf,
} from '../../packages/carillon/src/engine/index.ts';
import type { Archetype } from '../../packages/carillon/src/runtime/archetype.ts';

export const Note = defineComponent({
  name: 'note',
  state: stateOf<{ readonly text: string }>(),
  storage: 'cold',
  keepHistory: true,
});

export const Parcel = defineComponent({
  name: 'parcel',
  state: stateOf<{ readonly sentAs: string | null; readonly failed: string | null }>(),
});

export interface ErrandState {
  readonly everyMs: number;
  readonly ticks: number;
  readonly cursor: Instant;
  readonly closed: boolean;
}

export const Errand = defineComponent({
  name: 'errand',
  state: stateOf<ErrandState>(),
  children: { note: one(Note), parcels: many(Parcel) },
  isOpen: (state) => !state.closed,
});

export type Send = (effect: Effect<{ readonly to: string }, { readonly note: string }>) => Promise<string>;

export interface ErrandOptions {
  readonly send?: Send;
  readonly onTick?: (node: MutableNode<typeof Errand>) => undefined;
  readonly attempts?: number;
}

/** One tick per `everyMs`, each recorded as a slot exactly once, however late the wake-up was. */
export function errandLibrary(options: ErrandOptions = {}) {
  const tick = pureTask<typeof Errand, null>({
    name: 'tick',
    component: Errand,
    singleton: 'replace',
    validate: (errand, _, due) => due > errand.state.cursor,
    execute: (errand, _, due) => {
      options.onTick?.(errand);
      const { state } = errand;
      errand.recordSlot({
        cause: 'auto',
        nominal: due,
        until: due,
        count: 1,
        verdict: 'started',
        at: errand.now,
        runId: null,
        detail: null,
      });
      errand.set({ ...state, ticks: state.ticks + 1, cursor: due });
      errand.schedule(tick, null, addTime(due, state.everyMs));
    },
  });
  const deliver = sideEffectTask<typeof Parcel, { readonly to: string }, { readonly note: string }, string>({
    name: 'deliver',
    component: Parcel,
    lease: 10_000 as Duration,
    retry: { attempts: options.attempts ?? 50, initial: 1000 as Duration, longest: 8000 as Duration },
    validate: (parcel) => parcel.state.sentAs === null && parcel.state.failed === null,
    prepare: (parcel) => ({ note: parcel.ancestor(Errand).child('note').state.text }),
    execute: options.send ?? (async ({ payload }) => payload.to),
    complete: (parcel, _, sentAs) => {
      parcel.set({ ...parcel.state, sentAs });
    },
    exhausted: (parcel, _, error) => {
      parcel.set({ ...parcel.state, failed: String(error) });
    },
  });
  const library = defineLibrary({
    name: 'errand',
    root: Errand,
    tasks: [tick, deliver],
    visibility: {
      attributes: (errand) => ({ note: errand.child('note').state.text }),
      signals: (errand) => ({ ticks: errand.state.ticks }),
    },
  });
  const begin = (errand: MutableNode<typeof Errand>, note = ''): undefined => {
    errand.create('note', { text: note });
    errand.schedule(tick, null, addTime(errand.state.cursor, errand.state.everyMs));
  };
  const sendParcel = (errand: MutableNode<typeof Errand>, id: string): undefined => {
    const parcel = errand.add('parcels', id, { sentAs: null, failed: null });
    parcel.schedule(deliver, { to: id });
  };
  return { library, tick, deliver, begin, sendParcel };
}

export function errandState(cursor: Instant, everyMs = 1000): ErrandState {
  return { everyMs, ticks: 0, cursor, closed: false };
}

/** The use cases of errands. */
export interface Errands {
  create(id: string, everyMs: number): Promise<void>;
  send(id: string, parcel: string): Promise<void>;
  ticks(id: string): Promise<number>;
  sentAs(id: string, parcel: string): Promise<string | null>;
}

/** Errands as an archetype, brought to a runtime from outside the library. */
export function errandArchetype(options: ErrandOptions = {}): Archetype<Errands, typeof Errand> {
  const { library, begin, sendParcel } = errandLibrary(options);
  return {
    name: library.name,
    library: () => library,
    services: ({ engine, clock }) => ({
      create: async (id, everyMs) => {
        const state = errandState(clock.now(), everyMs);
        await engine.create(library, { namespace: 'default', id }, state, (errand) => begin(errand));
      },
      send: async (id, parcel) => {
        await engine.update(Errand, errandKey(id), (errand) => sendParcel(errand, parcel));
      },
      ticks: async (id) => await engine.read(Errand, errandKey(id), (errand) => errand.state.ticks),
      sentAs: async (id, parcel) =>
        await engine.read(
          Errand,
          errandKey(id),
          (errand) => errand.children('parcels').get(parcel)?.state.sentAs ?? null,
        ),
    }),
  };
}

export const errandKey = (id: string) => ({ namespace: 'default', archetype: 'errand', id });
