/**
 * What a run needs to know of its workflow before it begins. It is read from the store, or handed over by the checkpoint that
 * started the run: a workflow with many events goes from one run to the next without reading itself again.
 *
 * A handover lives for the rest of one synchronous decision. The checkpoint notes the brief of the run it starts; the worker, which
 * the same decision asks to place that run, asks for its handler and so takes the note; a microtask later the note is gone. So a
 * handler has a brief only if the decision that made it is the one that placed its run.
 */
import type { HostView, Work } from './host.ts';
import { topicOf } from './host.ts';
import type { HostSettings } from './settings.ts';

export interface Brief {
  readonly incarnation: string;
  readonly work: Work;
  readonly settings: HostSettings;
  readonly memory: string | null;
  readonly data: string | null;
  readonly result: string | null;
  readonly pending: Readonly<Record<string, number>>;
}

/** Undefined when the workflow has gone on without the run. */
export function briefOf(host: HostView, runId: string): Brief | undefined {
  const { work, topics } = host.state;
  if (work === null || work.run !== runId) return undefined;
  const of = work.kind === 'producer' ? 'producers' : 'consumers';
  const memory = host.children(of).get(work.handler)?.child('memory').state.json ?? null;
  const { data, result } = host.child('data').state;
  const { settings } = host.child('deployment').state;
  const pending: Record<string, number> = {};
  for (const topic in topics) pending[topic] = topicOf(host.state, topic).pending;
  return { incarnation: host.incarnation, work, settings, memory, data, result, pending };
}

export class Handover {
  #noted: { readonly name: string; readonly brief: Brief } | undefined;

  /** Notes the brief of the run that a decision has started, if it has started one. */
  note(name: string, host: HostView): void {
    const run = host.state.work?.run ?? null;
    const brief = run === null ? undefined : briefOf(host, run);
    if (brief === undefined) return;
    this.#noted = { name, brief };
    queueMicrotask(() => {
      this.#noted = undefined;
    });
  }

  /** The brief of the run of this name that the present decision has started. */
  take(name: string): Brief | undefined {
    const noted = this.#noted;
    if (noted?.name !== name) return undefined;
    this.#noted = undefined;
    return noted.brief;
  }
}
