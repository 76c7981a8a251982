// Temporal's command line on a server, and its texts without what changes from run to run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { needs } from './needs.mjs';

const monthMs = 31 * 86_400_000;

export class TemporalCli {
  #command;
  #address;
  #home;

  constructor(command, address, home) {
    this.#command = command;
    this.#address = address;
    this.#home = home;
  }

  /** `home`: where it keeps its settings. */
  static async on({ address }, home) {
    return new TemporalCli(await needs.temporalCli(), address, home);
  }

  /** Exit code and text of one command. Both streams make one text, as a person sees it. */
  async run(args, withinMs = 60_000) {
    const child = spawn(this.#command, [...args, '--address', this.#address, '--color', 'never'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: this.#home, USER: 'interop', TZ: 'UTC' },
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
    const [code] = await once(child, 'close');
    clearTimeout(timer);
    return { code: code ?? -1, text: Buffer.concat(chunks).toString() };
  }
}

/**
 * The arguments of a recorded command, which has lost its quotes: what follows an option up to the next option is its value.
 */
export function argumentsOf(command) {
  const args = [];
  let isValue = false;
  for (const word of command.split(' ')) {
    const isOption = /^--?[a-z]/.test(word);
    if (isOption || args.length === 0 || !args.some((each) => each.startsWith('-'))) {
      args.push(word);
      isValue = false;
    } else if (isValue) {
      args.push(`${args.pop()} ${word}`);
    } else {
      args.push(word);
      isValue = true;
    }
  }
  return args;
}

/**
 * The text without what changes: ids, times of now, and blanks that only align. Older versions log an error where newer ones print
 * it.
 */
export function comparable(text, stem, now = Date.now()) {
  return text
    .replaceAll(stem, 'STEM')
    .replace(
      /^time=\S+ level=ERROR msg=("(?:[^"\\]|\\.)*")$/gm,
      (_, message) => `Error: ${JSON.parse(message)}`,
    )
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, (time) =>
      Math.abs(Date.parse(time) - now) < monthMs ? 'NOW' : time,
    )
    .replace(/\b(?:now|(?:an?|\d+) (?:second|minute|hour|day|week)s? (?:ago|from now))\b/g, 'AGO')
    .replace(/"(historySizeBytes|stateSizeBytes|executionDuration)": ?"[^"]*"/g, '"$1": "SIZE"')
    .replace(/[ \t]+/g, ' ')
    .replace(/ $/gm, '')
    .trim();
}
