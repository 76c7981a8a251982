/** Runs the command line inside the test's own process, against a server or without one. */
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import type { Context } from '../../packages/carillon/src/cli/context.ts';
import { runProgram } from './program.ts';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Situation
  extends Partial<Pick<Context, 'columns' | 'confirm' | 'clock' | 'zone' | 'colors' | 'commandToken'>> {
  readonly url?: string;
  /** API key. */
  readonly key?: string;
  readonly input?: string;
  readonly now?: Instant;
}

export async function carillon(args: readonly string[], situation: Situation = {}): Promise<Said> {
  let stdout = '';
  let stderr = '';
  const { url, key, input = '', now = new SystemClock().now(), ...rest } = situation;
  const code = await runProgram(args, {
    now,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    colors: { stdout: false, stderr: false },
    env: {
      ...(url === undefined ? {} : { CARILLON_URL: url }),
      ...(key === undefined ? {} : { CARILLON_KEY: key }),
    },
    user: 'ada',
    readInput: async () => input,
    ...rest,
  });
  return { code, stdout, stderr };
}

/** A context for declaring commands that are not run. */
export function bareContext(): Context {
  const silent = { write: () => {} };
  return {
    now: new SystemClock().now(),
    stdout: silent,
    stderr: silent,
    colors: { stdout: false, stderr: false },
  };
}
