/** What `dev` prints when it is ready. */

import { version } from 'carillon/internal/base';
import { paintWith } from 'carillon/internal/cli';
import { hostName } from './demo/day-host.ts';
import { unattendedId } from './demo/day-schedules.ts';

export interface DevReady {
  readonly url: string;
  readonly page: string;
  readonly api: string;
  readonly docs: string;
  readonly metrics: string;
  /** The address that Temporal clients connect to. */
  readonly grpc: string;
  readonly temporalHttp: string;
  /** The data file; null when data is kept in memory. */
  readonly data: string | null;
  readonly isNew: boolean;
  readonly wantedPort: number;
  readonly port: number;
  readonly wantedGrpcPort: number;
  readonly grpcPort: number;
  readonly wantedTemporalHttpPort: number;
  readonly temporalHttpPort: number;
  readonly demo: readonly string[];
  /** The names of the user's handlers. */
  readonly handlers: readonly string[];
  /** The token that a schedule with a command needs; the command line reads it from the file. */
  readonly commandToken: string;
  /** Null when the token cannot be written to a file. */
  readonly commandTokenFile: string | null;
}

/** `program` is the command that the user types in another terminal. */
export function devText(ready: DevReady, colored: boolean, program = 'carillon'): string {
  const color = paintWith(colored);
  const { data, isNew, port, demo } = ready;
  const moved = (wanted: number, got: number) =>
    wanted === 0 || wanted === got ? [] : [color.yellow(`Port ${wanted} is busy, so this is port ${got}.`)];
  const kept = isNew ? 'new; kept when you stop' : 'found; goes on where it stopped';
  const server = port === 8080 ? '' : ` --server ${ready.url}`;
  const lines = [
    `${color.bold('Carillon')} ${version} is running.`,
    ...moved(ready.wantedPort, port),
    ...moved(ready.wantedGrpcPort, ready.grpcPort),
    ...moved(ready.wantedTemporalHttpPort, ready.temporalHttpPort),
    '',
    `  Page      ${color.cyan(ready.page)}`,
    `  REST API  ${color.cyan(ready.api)}`,
    `  API docs  ${color.cyan(ready.docs)}`,
    `  Metrics   ${color.cyan(ready.metrics)}`,
    `  Temporal  ${color.cyan(ready.grpc)} ${color.dim('(gRPC, for Temporal clients)')}`,
    `            ${color.cyan(ready.temporalHttp)} ${color.dim("(Temporal's HTTP API)")}`,
    `  Conductor ${color.cyan(`${ready.url}/api`)} ${color.dim('(for Conductor clients)')}`,
    `  Data      ${data === null ? 'in memory; gone when you stop' : `${data} ${color.dim(`(${kept})`)}`}`,
    ...(ready.handlers.length === 0
      ? []
      : [`  Handlers  ${ready.handlers.join(', ')} ${color.dim('(loaded again when their files change)')}`]),
    `  Commands  need the token ${ready.commandToken}`,
    color.dim(
      ready.commandTokenFile === null
        ? '            (send it as Carillon-Command-Token)'
        : `            (Carillon-Command-Token; the command line reads it from ${ready.commandTokenFile})`,
    ),
    '',
    ...(demo.length === 0
      ? []
      : [
          `There are ${demo.length} schedules to look at: ${shortList(demo)}.`,
          ...(demo.includes(unattendedId)
            ? [
                `One of them, ${unattendedId}, waits for a worker that is not there, to show what that looks like.`,
                `The workflow ${hostName} asks whether a booking was made: answer it on the page, under Workflow hosts.`,
              ]
            : []),
          color.dim('Start with --no-demo to leave them out.'),
          '',
        ]),
    'In another terminal:',
    `  ${program} schedule list${server}`,
    ...(demo.length === 0
      ? [`  ${program} schedule create hello --every 1m --run demo.hello${server}`]
      : [
          `  ${program} why demo-slow${server}`,
          ...(demo.includes(unattendedId) ? [`  ${program} host describe ${hostName}${server}`] : []),
          `  ${program} runs --schedule ${demo.includes('invoice-sync') ? 'invoice-sync' : 'demo-hello'}${server}`,
        ]),
    '',
    `${color.dim('Ctrl-C stops it; what is due meanwhile is made up for at the next start.')}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Names the first of a long list. */
function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 4);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more, with two days of history`;
}
