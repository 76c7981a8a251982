/** What `dev` prints when it is ready. */
import pc from 'picocolors';
import { version } from '../server/version.ts';

export interface DevReady {
  readonly url: string;
  readonly api: string;
  readonly docs: string;
  readonly metrics: string;
  /** Null: in memory. */
  readonly data: string | null;
  readonly isNew: boolean;
  readonly wantedPort: number;
  readonly port: number;
  readonly demo: readonly string[];
}

export function devText(ready: DevReady, colored: boolean): string {
  const color = pc.createColors(colored);
  const { data, isNew, wantedPort, port, demo } = ready;
  const moved = wantedPort !== 0 && wantedPort !== port;
  const kept = isNew ? 'new; kept when you stop' : 'found; goes on where it stopped';
  const server = port === 8080 ? '' : ` --server ${ready.url}`;
  const lines = [
    `${color.bold('Carillon')} ${version()} is running.`,
    ...(moved ? [color.yellow(`Port ${wantedPort} is busy, so this is port ${port}.`)] : []),
    '',
    `  REST API  ${color.cyan(ready.api)}`,
    `  API docs  ${color.cyan(ready.docs)}`,
    `  Metrics   ${color.cyan(ready.metrics)}`,
    `  Data      ${data === null ? 'in memory; gone when you stop' : `${data} ${color.dim(`(${kept})`)}`}`,
    '',
    ...(demo.length === 0
      ? []
      : [
          `There are ${demo.length} schedules to look at: ${demo.join(', ')}.`,
          color.dim('Start with --no-demo to be rid of them.'),
          '',
        ]),
    'In another terminal:',
    `  carillon schedule list${server}`,
    ...(demo.length === 0
      ? [`  carillon schedule create hello --every 1m --url https://example.com/hook${server}`]
      : [`  carillon why demo-slow${server}`, `  carillon runs --schedule demo-hello${server}`]),
    '',
    `${color.dim('Ctrl-C stops it; what is due meanwhile is made up for at the next start.')}`,
  ];
  return `${lines.join('\n')}\n`;
}
