/** What ends the sleep of consumers. */
import type { ConsumerNode, ConsumerState, HostNode } from './host.ts';

/** Wakes the consumers of topics with new events; `except` is a consumer whose own publications must not wake it. */
export function wakeFor(host: HostNode, topics: ReadonlyMap<string, number>, except: string | null): void {
  if (topics.size === 0) return;
  const { consumers } = host.child('deployment').state.graph;
  for (const [name, consumer] of host.children('consumers')) {
    if (name === except || consumer.state.sleep === null) continue;
    if (consumers[name]?.subscribe.some((topic) => topics.has(topic)) === true)
      wake(host, name, consumer, 'event');
  }
}

export function wake(
  host: HostNode,
  name: string,
  consumer: ConsumerNode,
  by: NonNullable<ConsumerState['wokenBy']>,
): void {
  if (consumer.state.sleep === null) return;
  consumer.set({ ...consumer.state, sleep: null, wokenBy: by });
  host.report({ type: 'consumerWoke', consumer: name, by });
}
