/**
 * Finds the times at which a schedule is due within a range. The search runs in slices, so that it does not block the event
 * loop. It ends when the client disconnects, and gives up where Temporal gives up or when the answer costs too much.
 */
import type { Instant } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { ScheduleDefinition } from 'carillon/internal/service';
import { compiledOf, SlicedWork } from 'carillon/internal/service';
import type { ScheduleSpec, SearchResult } from 'carillon/spec';
import { type Budget, compileSpec } from 'carillon/spec';
import { badRequest } from './status.ts';

/** Most times in one answer. */
const mostMatches = 1000;
/** Excluded candidates in a row after which Temporal gives up: two weeks of seconds. */
const mostInARow = 1_209_600;

/** Due times, jitter included, after `from` and up to `to`. */
export async function matchingTimes(
  definition: ScheduleDefinition,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  signal: AbortSignal,
): Promise<readonly Instant[]> {
  const { seed, spec } = definition;
  const compiled = compiledOf(definition);
  const work = new SlicedWork({ signal });
  const times: Instant[] = [];
  // Jitter never exceeds the distance to the next slot, so only the last slot before `from` can be due after it.
  let begin = from;
  if (spec.jitterMs !== undefined) {
    let before = addTime(from, 1);
    const found = await finish(work, (budget) => {
      const result = compiled.searchBefore(before, { budget });
      if (result.kind === 'unfinished') before = result.reached;
      return result;
    });
    if (found.kind === 'found') begin = addTime(found.nominal, -1);
  }
  const walk = compiled.walk(begin, { seed, last: to });
  while (times.length < mostMatches) {
    const found = await finish(work, (budget) => walk.next(budget));
    const end = found.kind === 'found' ? found.nominal : to;
    if (await isGivenUp(spec, { from: begin, to: end }, work)) throw tooManyExclusions();
    if (found.kind !== 'found') break;
    begin = found.nominal;
    if (found.actual > from && found.actual <= to) times.push(found.actual);
  }
  return times;
}

/**
 * Whether Temporal would give up between two times. Temporal checks every excluded candidate; this search skips excluded
 * hours and days in one step and would find an answer that Temporal's clients do not expect.
 */
async function isGivenUp(
  spec: ScheduleSpec,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  work: SlicedWork,
): Promise<boolean> {
  const { exclude, ...unexcluded } = spec;
  if (exclude === undefined || to - from < mostInARow * 1000) return false;
  const candidates = compileSpec(unexcluded).walk(from, { last: to });
  for (let count = 0; count < mostInARow; count += 1) {
    const found = await finish(work, (budget) => candidates.next(budget));
    if (found.kind !== 'found') return false;
  }
  return true;
}

async function finish(
  work: SlicedWork,
  search: (budget: Budget) => SearchResult,
): Promise<Exclude<SearchResult, { kind: 'unfinished' }>> {
  const result = await work.finish(search);
  if (result.kind === 'unfinished') throw tooManyExclusions();
  return result;
}

function tooManyExclusions(): Error {
  return badRequest(
    'the schedule calendar specification has too many exclusions. Please modify the specification.',
  );
}
