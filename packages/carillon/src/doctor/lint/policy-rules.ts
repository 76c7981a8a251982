/** Rules about how the policies of a schedule fit its interval and its runs. */
import { formatDuration } from '../../base/duration.ts';
import type { SchedulePolicy } from '../../scheduler/definition.ts';
import { unlimitedWindow } from '../../scheduler/definition.ts';
import type { LintAction, LintSubject, Remark } from './finding.ts';
import type { TimeStatistics } from './time-rules.ts';

/** The number of catch-up runs from which the rule reports a flood. */
const flood = 100;

export function policyRemarks(subject: LintSubject, statistics: TimeStatistics): readonly Remark[] {
  const { policy, action, slowRunMs } = subject;
  if (policy === undefined) return [];
  const { shortestMs, longestMs } = statistics;
  const remarks: Remark[] = [];
  if (slowRunMs !== undefined && shortestMs !== undefined && slowRunMs > shortestMs * policy.limit) {
    remarks.push(overlapRisk(policy, slowRunMs, shortestMs));
  }
  if (longestMs !== undefined && policy.catchupWindowMs < longestMs) {
    const message = `may start up to ${formatDuration(policy.catchupWindowMs)} late; an outage longer than that loses a run, and the next is up to ${formatDuration(longestMs)} away`;
    const fix = `if each run counts, say catchup: ${formatDuration(longestMs)}`;
    remarks.push({ code: 'catchup-short', message, fix });
  }
  if (shortestMs !== undefined && policy.missed === 'all' && policy.overlap !== 'skip') {
    const most = Math.floor(policy.catchupWindowMs / shortestMs);
    if (most > flood && (policy.overlap === 'allowAll' || policy.overlap === 'bufferAll')) {
      const message =
        policy.catchupWindowMs >= unlimitedWindow
          ? 'a long outage is made up for by every missed run, however many there are'
          : `an outage of ${formatDuration(policy.catchupWindowMs)} is made up for by ${most} runs`;
      remarks.push({ code: 'catchup-flood', message, fix: 'say missed: once, or a shorter catchup' });
    }
  }
  const waits = policy.overlap !== 'allowAll' && !policy.overlap.endsWith('Other');
  if (waits && action !== undefined && statistics.times.length > 1 && !isTimed(action)) {
    const message = `a run that hangs makes every later one ${policy.overlap === 'skip' ? 'be skipped' : 'wait'}, as none has a timeout`;
    remarks.push({ code: 'no-timeout', message, fix: 'say timeout: with a length no good run reaches' });
  }
  return remarks;
}

function overlapRisk(policy: SchedulePolicy, slowMs: number, gapMs: number): Remark {
  const what: Readonly<Record<SchedulePolicy['overlap'], string>> = {
    skip: 'the slots in between are skipped',
    bufferOne: 'one waits and the others are skipped',
    bufferAll: 'they queue up, later and later',
    cancelOther: 'each cancels the one before it',
    terminateOther: 'each ends the one before it',
    allowAll: 'they run side by side',
  };
  const message = `one run in twenty takes ${formatDuration(slowMs)} or more, and ${formatDuration(gapMs)} lie between two: ${what[policy.overlap]}`;
  return { code: 'overlap-risk', message, fix: 'run it less often, or choose overlap: on purpose' };
}

function isTimed({ isTimed: byKind = false, settings }: LintAction): boolean {
  return byKind || settings.attemptTimeoutMs !== undefined || settings.executionTimeoutMs !== undefined;
}
