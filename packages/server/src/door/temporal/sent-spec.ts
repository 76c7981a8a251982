/** The spec of a request, over the one that is stored. */
import type { ScheduleDefinition } from 'carillon/internal/service';
import { writtenBack } from 'carillon/internal/service';
import type { ScheduleSpec } from 'carillon/spec';
import { base64 } from './fields.ts';
import { nativeSpec } from './native-spec.ts';
import { keptBytes } from './origin.ts';
import type { Spec } from './protocol.ts';
import { comparableSpec, type ReadSpec, readSpec } from './spec-message.ts';
import { isSameSpec, unsayableTimes } from './write-back.ts';

export interface SpecOver {
  readonly value: ScheduleSpec;
  /** What the client said, for this door; undefined when what is stored came through another one. */
  readonly kept: string | undefined;
}

export class SentSpec {
  readonly #given: Spec;
  readonly #comparable: object;
  readonly #texts: readonly string[];
  #read: ReadSpec | undefined;

  constructor(given: Spec | null | undefined) {
    this.#given = given ?? {};
    // Reading changes the message, and a decision may be made again.
    this.#comparable = comparableSpec(this.#given);
    this.#texts = [...(this.#given.cronString ?? [])];
  }

  over(before: ScheduleDefinition | undefined): SpecOver {
    if (before === undefined) return this.#replacing(before);
    const said = keptBytes(before, 'spec');
    if (said !== undefined) {
      const replacing = this.#replacing(before);
      // Bytes and not meanings: a newer client may have changed a field that is unknown here.
      return replacing.kept === base64(said) ? { ...replacing, value: before.spec } : replacing;
    }
    const shown = nativeSpec(before.spec, before.seed);
    return writtenBack<SpecOver>({
      name: 'spec',
      stored: { value: before.spec, kept: undefined },
      isUnchanged: isSameSpec({ comparable: this.#comparable, texts: this.#texts }, shown),
      unsayable: unsayableTimes(before, shown),
      replacement: () => this.#replacing(before),
    });
  }

  /** What happens when clocks change is not Temporal's to say: a schedule keeps its rule. */
  #replacing(before: ScheduleDefinition | undefined): SpecOver {
    this.#read ??= readSpec(this.#given);
    const { spec, message } = this.#read;
    const kept = base64(message);
    if (before === undefined) return { value: spec, kept };
    const { dst: _, ...rest } = spec;
    const { dst } = before.spec;
    return { value: dst === undefined ? rest : { ...rest, dst }, kept };
  }
}
