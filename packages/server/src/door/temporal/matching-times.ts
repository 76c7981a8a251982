/**
 * When a schedule would act within a range. Exclusions can hide millions of candidates between two times, so the search
 * goes in chunks and lets others have their turn in between, ends when nobody waits for the answer any more, and gives up
 * where Temporal gives up, or when the whole answer costs ten times as much.
 */
import type { Instant } from 'carillon/internal/base';
import { addTime, isServiceError, nextTurn, type ServiceError } from 'carillon/internal/base';
import type { ScheduleDefinition } from 'carillon/internal/service';
import { compiledOf } from 'carillon/internal/service';
import type { CompiledSpec, Occurrence } from 'carillon/spec';
import { budgetReason } from 'carillon/spec';
import { badRequest } from './status.ts';

/** Times one answer lists at most. */
const mostMatches = 1000;
/** Excluded candidates looked at in one turn: a few milliseconds. */
const chunk = 20_000;
/** Excluded candidates in a row after which Temporal gives up: two weeks of seconds. */
const mostInARow = 1_209_600;
const mostInAll = 10 * mostInARow;

/** Due times, jitter included, after `from` and up to `to`. */
export async function matchingTimes(
  definition: ScheduleDefinition,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  signal: AbortSignal,
): Promise<readonly Instant[]> {
  const compiled = compiledOf(definition);
  const next = patientNext(compiled, definition.seed, signal);
  const times: Instant[] = [];
  // Jitter never reaches the next slot: of those before `from`, only the last can be due after it.
  const before = definition.spec.jitterMs === undefined ? undefined : lastBefore(compiled, from);
  let after = before === undefined ? from : addTime(before, -1);
  while (times.length < mostMatches) {
    const found = await next(after);
    if (found === undefined || found.nominal > to) break;
    after = found.nominal;
    if (found.actual > from && found.actual <= to) times.push(found.actual);
  }
  return times;
}

function lastBefore(compiled: CompiledSpec, from: Instant): Instant | undefined {
  try {
    return compiled.previous(addTime(from, 1))?.nominal;
  } catch (error) {
    if (isServiceError(error) && error.reason === budgetReason) throw tooManyExclusions();
    throw error;
  }
}

/** `next` of a spec that yields between chunks and remembers what the whole answer has cost. */
function patientNext(
  compiled: CompiledSpec,
  seed: string,
  signal: AbortSignal,
): (after: Instant) => Promise<Occurrence | undefined> {
  let inAll = 0;
  return async (after) => {
    let from = after;
    for (let inARow = 0; inARow < mostInARow && inAll < mostInAll; inARow += chunk, inAll += chunk) {
      const result = compiled.search(from, { seed, giveUpAfter: chunk });
      if (result.kind === 'found') return result;
      if (result.kind === 'none') return undefined;
      from = result.reached;
      await nextTurn();
      signal.throwIfAborted();
    }
    throw tooManyExclusions();
  };
}

function tooManyExclusions(): ServiceError {
  return badRequest(
    'the schedule calendar specification has too many exclusions. Please modify the specification.',
  );
}
