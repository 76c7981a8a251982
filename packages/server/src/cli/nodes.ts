/** `carillon nodes`: shows the nodes that work on the server's store, and their state. */

import type { NodeInfo } from 'carillon/client';
import { formatDuration } from 'carillon/internal/base';
import type { Command, Context } from 'carillon/internal/cli';
import {
  clientOf,
  print,
  type RemoteOptions,
  remoteHelp,
  remoteOptions,
  sinceText,
  tableText,
} from 'carillon/internal/cli';

export function declare(command: Command, context: Context): void {
  remoteOptions(
    command
      .summary('list the processes that work on the store')
      .description(
        'Lists the processes that work on the store of a server, oldest first: which version each is, how late it is, how far ' +
          'its clock is off, and with which release of the time zone tables it computes.',
      ),
  )
    .addHelpText('after', `${help}${remoteHelp}`)
    .action(async (given: RemoteOptions) => await run(context, given));
}

async function run(context: Context, given: RemoteOptions): Promise<void> {
  const items = await clientOf(context, given).nodes();
  print(context, given.json, { items }, nodesText(items, context));
}

export function nodesText(items: readonly NodeInfo[], { now, colors }: Context): string {
  if (items.length === 0) return 'No node is at work on this store.\n';
  const rows = items.map((node) => [
    node.name,
    node.state,
    node.version,
    sinceText(node.startedAt, now),
    sinceText(node.seenAt, now),
    formatDuration(node.lagMs),
    skewText(node.skewMs),
    node.timeZoneVersion,
    String(node.activeRuns),
    node.queues.join(', '),
  ]);
  const titles = ['NODE', 'STATE', 'VERSION', 'STARTED', 'SEEN', 'LAG', 'CLOCK', 'ZONES', 'RUNS', 'QUEUES'];
  return `${tableText(titles, rows, colors.stdout)}${disagreements(items).join('')}`;
}

/** The sign matters: starts are early on a node whose clock is ahead, and late on one whose clock is behind. */
function skewText(skewMs: number): string {
  const length = formatDuration(Math.abs(skewMs));
  return skewMs === 0 ? 'right' : `${length} ${skewMs > 0 ? 'ahead' : 'behind'}`;
}

/** Differences between nodes that change what they compute. They are normal during a deploy, and a problem when they remain. */
function disagreements(items: readonly NodeInfo[]): readonly string[] {
  const alive = items.filter(({ state }) => state === 'alive');
  const differ = (of: (node: NodeInfo) => string) => new Set(alive.map(of)).size > 1;
  return [
    ...(differ(({ version }) => version) ? ['\nThese nodes are of different versions.\n'] : []),
    ...(differ(({ timeZoneVersion }) => timeZoneVersion)
      ? ['\nThese nodes have different time zone tables: they may disagree about coming clock changes.\n']
      : []),
  ];
}

const help = `
Examples:
  $ carillon nodes
  $ carillon nodes --json | jq '.items[] | select(.state == "silent")'

lag      how long the earliest due schedule has been waiting
clock    difference between its clock and the store's, as far as it can be measured
silent   no heartbeat for 20 seconds: it died, or cannot reach the store. Another node takes its runs over.
`;
