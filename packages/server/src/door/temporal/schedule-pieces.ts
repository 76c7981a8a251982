/**
 * The parts of an answer that depend on the definition only, encoded once per definition. Definitions are immutable and
 * shared, so the object itself is the cache key. The client's own parts are assembled from their original bytes.
 */
import type { AttributeTypes, ScheduleDefinition } from 'carillon/internal/service';
import { field } from './fields.ts';
import { nativeSpec } from './native-spec.ts';
import { nativeStart } from './native-start.ts';
import { keptBytes } from './origin.ts';
import { payloadOf } from './payload.ts';
import { policiesMessage, stateMessage } from './policies.ts';
import type { Spec } from './protocol.ts';
import {
  attributesType,
  decode,
  encode,
  memoType,
  specType,
  typeNamed,
  workflowStartType,
} from './protocol.ts';
import { writeSearchAttributes } from './search-attributes/payload.ts';
import { listedSpec } from './spec-message.ts';

export interface Pieces {
  /** The fields of a `Schedule` except its state. */
  readonly schedule: Uint8Array;
  /** The spec as shown in a listing. */
  readonly listedSpec: Uint8Array;
  readonly workflowType: string;
  /** The encoded `Memo`; empty when there is none. */
  readonly memo: Uint8Array;
  /** The encoded `SearchAttributes`, when they came through this door. */
  readonly attributes: Uint8Array | undefined;
  /** Fields of the state that are unknown to this version or have no effect. */
  readonly stateRest: Uint8Array;
}

const known = new WeakMap<ScheduleDefinition, Pieces>();

export function piecesOf(definition: ScheduleDefinition, id: string): Pieces {
  let pieces = known.get(definition);
  if (pieces === undefined) {
    pieces = makePieces(definition, id);
    known.set(definition, pieces);
  }
  return pieces;
}

const nothing = new Uint8Array();
const policiesType = typeNamed('temporal.api.schedule.v1.SchedulePolicies');
const stateType = typeNamed('temporal.api.schedule.v1.ScheduleState');

function makePieces(definition: ScheduleDefinition, id: string): Pieces {
  const { policy, spec, seed, action } = definition;
  const kept = (part: string) => keptBytes(definition, part);
  const specBytes = kept('spec') ?? encode(specType, nativeSpec(spec, seed));
  const actionBytes = kept('action') ?? field(1, encode(workflowStartType, nativeStart(definition, id)));
  const policies = Buffer.concat([
    encode(policiesType, policiesMessage(policy)),
    kept('policies') ?? nothing,
  ]);
  return {
    schedule: Buffer.concat([
      field(1, specBytes),
      field(2, actionBytes),
      field(3, policies),
      kept('schedule') ?? nothing,
    ]),
    listedSpec: encode(specType, listedSpec(decode<Spec>(specType, specBytes))),
    workflowType: action.name,
    memo: kept('memo') ?? nativeMemo(definition),
    attributes: kept('attributes'),
    stateRest: kept('state') ?? nothing,
  };
}

function nativeMemo({ memo }: ScheduleDefinition): Uint8Array {
  const fields = Object.entries(memo).map(([name, value]) => [name, payloadOf(value)]);
  return fields.length === 0 ? nothing : encode(memoType, { fields: Object.fromEntries(fields) });
}

/** Not cached, because types may have been registered since. */
export function attributesPiece(
  { attributes }: ScheduleDefinition,
  pieces: Pieces,
  types: AttributeTypes,
): Uint8Array {
  if (pieces.attributes !== undefined) return pieces.attributes;
  if (Object.keys(attributes).length === 0) return nothing;
  return encode(attributesType, writeSearchAttributes(attributes, types));
}

export function scheduleBytes(
  definition: ScheduleDefinition,
  pieces: Pieces,
  remaining: number | null,
): Uint8Array {
  // When a field occurs twice, the last one counts. That is the stored definition's, because another door may have set a
  // limit since.
  const state = [pieces.stateRest, encode(stateType, stateMessage(definition, remaining))];
  return Buffer.concat([pieces.schedule, field(4, Buffer.concat(state))]);
}
