/** `carillon nodes`: shows the nodes that work on the server's store, and their state. */

import type { NodeInfo, SilenceInfo } from 'carillon/client';
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
  const client = clientOf(context, given);
  const [items, silences] = await Promise.all([client.nodes(), client.silences()]);
  const text = `${nodesText(items, context)}${silencesText(silences)}`;
  print(context, given.json, { items, silences }, text);
}

/** The most silences that are shown; all of them are in the JSON. */
const mostShown = 5;

/** The stretches in which no node was alive, newest first. */
export function silencesText(silences: readonly SilenceInfo[]): string {
  if (silences.length === 0) return '';
  const lines = silences
    .slice(-mostShown)
    .reverse()
    .map(({ from, to }) => `  ${from} to ${to} (${formatDuration(Date.parse(to) - Date.parse(from))})\n`);
  const more = silences.length - lines.length;
  return `\nNo node was alive:\n${lines.join('')}${more > 0 ? `  and ${more} earlier times (--json)\n` : ''}`;
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
