/** The limits that no setting changes, and the retention in force. */
import { formatDuration } from 'carillon/internal/base';
import type { Services } from 'carillon/internal/service';
import { serviceLimits } from 'carillon/internal/service';
import type { SettingView } from '../door/server-port.ts';

export function fixedLimits(): readonly SettingView[] {
  return serviceLimits.map(({ name, value, meaning }) => ({
    name,
    value,
    source: 'fixed',
    setBy: '',
    meaning,
  }));
}

/** Rows by count are numbers, ages are durations such as `90d`. */
export function retentionViews({ retention }: Pick<Services, 'retention'>): readonly SettingView[] {
  return Object.entries(retention.inForce).map(([name, value]): SettingView => {
    const { isCounted = false, meaning } = kept[name as keyof typeof retention.inForce];
    return {
      name: `retention.${name}`,
      value: isCounted || !Number.isFinite(value) ? value : formatDuration(value),
      source: name in retention.given ? 'file' : 'default',
      setBy: '',
      meaning,
    };
  });
}

interface KeptWords {
  readonly isCounted?: true;
  readonly meaning: string;
}

const kept: Readonly<Record<keyof Services['retention']['inForce'], KeptWords>> = {
  closedSchedules: { meaning: 'how long deleted and ended schedules stay, with their ledger' },
  ledger: { meaning: 'how long verdicts stay' },
  finishedRuns: { meaning: 'how long finished runs stay; a namespace may say less' },
  events: { meaning: 'how long events of workflow hosts stay after they were used' },
  audit: { meaning: 'how long the audit stays' },
  ledgerRows: { isCounted: true, meaning: 'rows of verdicts of each schedule' },
  runsPerSchedule: { isCounted: true, meaning: 'finished runs of each schedule' },
  definitionVersions: { isCounted: true, meaning: 'versions of each schedule' },
  uncounted: { meaning: 'how long the numbers above remove nothing, so that a backfill can be looked at' },
};
