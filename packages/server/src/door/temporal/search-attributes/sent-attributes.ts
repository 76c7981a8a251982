/** The search attributes of a request, applied to the stored ones. */
import { isDeepStrictEqual } from 'node:util';
import type { AttributeTypes, AttributeValue, ScheduleDefinition } from 'carillon/internal/service';
import { base64 } from '../fields.ts';
import { keptBytes } from '../origin.ts';
import { attributesType, encode } from '../protocol.ts';
import type { WireAttributes } from './payload.ts';
import { readSearchAttributes, withTypes, writeSearchAttributes } from './payload.ts';

export interface AttributesOver {
  readonly values: Readonly<Record<string, AttributeValue>>;
  /** The client's bytes for this door; undefined when the stored value came through another door. */
  readonly kept: string | undefined;
}

export class SentAttributes {
  readonly #given: WireAttributes | null | undefined;
  readonly #types: AttributeTypes;

  constructor(given: WireAttributes | null | undefined, types: AttributeTypes) {
    this.#given = given;
    this.#types = types;
  }

  /**
   * Keeps attributes that the request does not mention. Attributes of other doors need not be registered unless they
   * change.
   */
  over(before: ScheduleDefinition | undefined): AttributesOver {
    const given = this.#given;
    const said = before === undefined ? undefined : keptBytes(before, 'attributes');
    const stored = { values: before?.attributes ?? {}, kept: said === undefined ? undefined : base64(said) };
    if (given === null || given === undefined) return stored;
    if (before !== undefined && said === undefined && this.#isShown(given, before)) return stored;
    return {
      values: readSearchAttributes(given, this.#types),
      kept: base64(encode(attributesType, withTypes(given, this.#types))),
    };
  }

  #isShown(given: WireAttributes, { attributes }: ScheduleDefinition): boolean {
    const shown = writeSearchAttributes(attributes, this.#types);
    return isDeepStrictEqual(texts(given), texts(shown));
  }
}

function texts({ indexedFields }: WireAttributes): object {
  return Object.fromEntries(
    Object.entries(indexedFields ?? {}).map(([name, { data }]) => [name, base64(data ?? new Uint8Array())]),
  );
}
