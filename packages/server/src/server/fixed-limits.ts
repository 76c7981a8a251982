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
  const counted = new Set(['ledgerRows', 'runsPerSchedule', 'definitionVersions']);
  return Object.entries(retention.inForce).map(
    ([name, value]): SettingView => ({
      name: `retention.${name}`,
      value: counted.has(name) ? value : formatDuration(value),
      source: name in retention.given ? 'file' : 'default',
      setBy: '',
      meaning: counted.has(name) ? 'kept of each schedule' : 'kept this long',
    }),
  );
}
