/** The library of the host archetype. */
import type { Library } from '../engine/library.ts';
import { defineLibrary } from '../engine/library.ts';
import { pureTask } from '../engine/task.ts';
import type { Attributes } from '../store/records.ts';
import { judgeDueTimes } from './due-times.ts';
import type { HostView } from './host.ts';
import { Deployed, dueTimes, Host, isHalted, retryWork, wakeUp } from './host.ts';
import { proceed } from './proceed.ts';
import { runEvents } from './run-input.ts';
import { runFinished } from './settled.ts';
import { wake } from './waking.ts';

export const hostArchetype = 'host';

const retryTask = pureTask({
  ...retryWork,
  singleton: 'replace',
  validate: ({ state: { work } }, _, due) => work !== null && work.run === null && work.retryAt === due,
  execute: (host) => {
    proceed(host);
  },
});

const dueTask = pureTask({
  ...dueTimes,
  singleton: 'replace',
  // Running early or twice is harmless: the cursor decides what is new.
  validate: (producer) => !isHalted(producer.ancestor(Host).state),
  execute: (producer) => {
    judgeDueTimes(producer.ancestor(Host), nameOf(producer.path), producer);
  },
});

const wakeTask = pureTask({
  ...wakeUp,
  singleton: 'replace',
  validate: ({ state: { sleep } }, _, due) => sleep !== null && sleep.until === due,
  execute: (consumer) => {
    const host = consumer.ancestor(Host);
    wake(host, nameOf(consumer.path), consumer, 'timeout');
    proceed(host);
  },
});

/** The id of a child in its path. */
function nameOf(path: string): string {
  return decodeURIComponent(path.slice(path.indexOf(':') + 1));
}

export function hostLibrary(): Library<typeof Host> {
  return defineLibrary({
    name: hostArchetype,
    root: Host,
    tasks: [retryTask, dueTask, wakeTask],
    runFinished,
    runEvents,
    visibility: { attributes, sources: [Deployed], signals },
  });
}

function attributes(host: HostView): Attributes {
  const { graph } = host.child('deployment').state;
  return {
    $text: [host.key.id, ...graph.topics, ...Object.keys(graph.producers), ...Object.keys(graph.consumers)]
      .join(' ')
      .toLowerCase(),
  };
}

function signals(host: HostView): Readonly<Record<string, number>> {
  const { topics, work, block, paused } = host.state;
  let $pending = 0;
  for (const name in topics) $pending += topics[name]?.pending ?? 0;
  return {
    $pending,
    $running: work !== null && work.run !== null ? 1 : 0,
    $blocked: block === null ? 0 : 1,
    $paused: paused === null ? 0 : 1,
  };
}
