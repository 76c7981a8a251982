/**
 * The lease of a holder that is not a node: a worker behind a door. Each of its runs has an end of its own in `checkAt`.
 * The length and what extends it are part of the lease token, so that neither the holder nor the server has to remember
 * them: `<time of the claim>~<length><letter>.<unique part>`, numbers in base 36.
 *
 * On the row, before the dot, the token of any holder also says by how much the clock that judges it was set since the claim:
 * `+<ms>` or `-<ms>`. The holder knows its token without that part, and stays its holder.
 */

import type { Instant } from '../base/time.ts';
import type { RunRow } from '../store/records.ts';
import { shortTime } from './run-id.ts';

export interface OwnLease {
  readonly ms: number;
  /** `run`: a heartbeat for the run. `worker`: also the sign of life of the worker that holds it. */
  readonly extendedBy: 'run' | 'worker';
}

/** The lease of a holder that neither says how long it may be silent nor sends heartbeats for its runs, without an attempt timeout. */
export const silentLeaseMs = 24 * 60 * 60 * 1000;

/** The lease where neither the holder nor the run says otherwise. */
export const defaultOwnLease: OwnLease = { ms: 30_000, extendedBy: 'run' };

const letters = { run: 'r', worker: 'w' } as const;
const shape = /^[0-9a-z]+~([0-9a-z]+)([rw])[.+-]/;
const stepShape = /^([^.+-]*)([+-][0-9a-z]+)?\./;

export function leaseTokenOf(now: Instant, unique: string, lease?: OwnLease): string {
  const time = shortTime(now);
  if (lease === undefined) return `${time}.${unique}`;
  return `${time}~${Math.trunc(lease.ms).toString(36)}${letters[lease.extendedBy]}.${unique}`;
}

/** Undefined for the lease of a node. */
export function ownLeaseOf({ leaseToken }: RunRow): OwnLease | undefined {
  const [, ms, letter] = shape.exec(leaseToken) ?? [];
  if (ms === undefined) return undefined;
  return { ms: Number.parseInt(ms, 36), extendedBy: letter === letters.worker ? 'worker' : 'run' };
}

/** The ms by which the clock was set since the claim. */
export function clockStepIn(token: string): number {
  const [, , step] = stepShape.exec(token) ?? [];
  return step === undefined ? 0 : Number.parseInt(step, 36);
}

/** The token after its clock was set once more. */
export function withClockStep(token: string, ms: number): string {
  const step = clockStepIn(token) + Math.trunc(ms);
  const text = step === 0 ? '' : `${step > 0 ? '+' : ''}${step.toString(36)}`;
  return token.replace(stepShape, (_, begin: string) => `${begin}${text}.`);
}

/** The token as its holder knows it. */
export function heldToken(token: string): string {
  return token.replace(stepShape, (_, begin: string) => `${begin}.`);
}

/** Whether the run was claimed under this token last. */
export function isLeasedBy({ leaseToken }: RunRow, token: string): boolean {
  return leaseToken === token || (leaseToken !== '' && heldToken(leaseToken) === heldToken(token));
}
