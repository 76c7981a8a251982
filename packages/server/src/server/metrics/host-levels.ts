/** What waits in workflows on hosts, as a bounded number of series. Further ones share one, so that sums stay correct. */
import type { Instant } from 'carillon/internal/base';
import type { Family, Labels } from 'carillon/internal/metrics';
import { gauge } from 'carillon/internal/metrics';
import type { Services } from 'carillon/internal/service';

/** Workflows, and topics of workflows, that have their own series. */
export const mostHostSeries = 500;

interface Level {
  readonly labels: Labels;
  value: number;
}

interface TopicLevel extends Level {
  oldestAt: Instant | null;
}

export interface HostLevelSeries {
  /** 1 for a blocked workflow, otherwise 0. */
  readonly blocked: readonly Level[];
  /** Pending events by topic. */
  readonly topics: readonly TopicLevel[];
}

export async function readHostLevels(
  hosts: Pick<Services['hosts'], 'levels'>,
  most = mostHostSeries,
): Promise<HostLevelSeries> {
  const blocked: Level[] = [];
  const topics: TopicLevel[] = [];
  for await (const host of hosts.levels()) {
    const labels = { namespace: host.namespace, workflow: host.id };
    const isBlocked = host.blocked ? 1 : 0;
    if (blocked.length < most) blocked.push({ labels, value: isBlocked });
    else
      shared(blocked, most, () => ({ labels: { namespace: other, workflow: other }, value: 0 })).value +=
        isBlocked;
    for (const { name, pending, oldestAt } of host.topics) {
      if (topics.length < most) {
        topics.push({ labels: { ...labels, topic: name }, value: pending, oldestAt });
        continue;
      }
      const rest = shared(topics, most, () => ({
        labels: { namespace: other, workflow: other, topic: other },
        value: 0,
        oldestAt: null,
      }));
      rest.value += pending;
      if (oldestAt !== null && (rest.oldestAt === null || oldestAt < rest.oldestAt)) rest.oldestAt = oldestAt;
    }
  }
  return { blocked, topics };
}

const other = 'other';

/** The one series that workflows and topics beyond the limit share. */
function shared<T extends Level>(series: T[], most: number, begin: () => T): T {
  const found = series[most] ?? begin();
  series[most] = found;
  return found;
}

/** `now` is the time of the store's clock; without levels the families are there, and empty. */
export function hostLevelFamilies(
  levels: HostLevelSeries | undefined,
  now: Instant | undefined,
): readonly Family[] {
  const { blocked = [], topics = [] } = levels ?? {};
  const age = (oldestAt: Instant | null) =>
    oldestAt === null || now === undefined ? 0 : Math.max(0, now - oldestAt) / 1000;
  return [
    gauge('carillon_host_blocked', 'Workflows on hosts that wait for a person', blocked),
    gauge('carillon_host_events_pending', 'Events that wait for their consumer, by topic', topics),
    gauge(
      'carillon_host_events_pending_oldest_seconds',
      'Age of the oldest of them; 0 when none waits',
      topics.map(({ labels, oldestAt }) => ({ labels, value: age(oldestAt) })),
    ),
  ];
}
