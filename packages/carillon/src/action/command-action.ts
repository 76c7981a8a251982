/**
 * `command`: runs a program of this machine. It sees only PATH and the variables in `passEnv` of this process's
 * environment, gets the input as JSON on its standard input, and its exit code is the outcome.
 *
 * When this process dies, its commands go on as orphans, and another worker takes over the run once its lease lapses:
 * a command that must not overlap with itself needs its own lock.
 */
import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { plainDuration, readDuration } from '../base/duration.ts';
import { addTime, formatInstant, second } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { Action } from './action.ts';
import { ActionFailed, isActionFailed, nothingBegan } from './action-failed.ts';
import type { ChildEnd, ChildOptions } from './child.ts';
import { Child } from './child.ts';
import type { CommandInput } from './command-kind.ts';
import { commandKind } from './command-kind.ts';
import type { Secrets } from './secret.ts';
import { AttemptSecrets } from './secret.ts';

/** The options of commands in a process. */
export interface CommandOptions {
  /** The most concurrent commands. Default 20. */
  readonly concurrency?: number;
  /** The bytes kept from the end of each output. Default 32 KiB. */
  readonly outputLimit?: number;
  /** Ms between SIGTERM and SIGKILL. Default 5 s. */
  readonly graceMs?: number;
}

export interface CommandActionParts extends CommandOptions {
  readonly clock: Clock;
  /** Reads a variable of this process's environment. */
  readonly environment: (name: string) => string | undefined;
  /** Finds a secret by its name; the value is used and not kept. */
  readonly secrets: Secrets;
  /** When false, every command fails to start with an error that says why. */
  readonly allowed: boolean;
}

/** The input of the run: the command, and the schedule's input. */
export interface CommandWork extends CommandInput {
  readonly input?: unknown;
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes cut from the beginning of the output; absent when none were cut. */
  readonly stdoutCut?: number;
  readonly stderrCut?: number;
}

const defaults = { concurrency: 20, outputLimit: 32 * 1024, graceMs: 5 * second };
/** The most bytes of stderr in a failure's message. */
const longestExcerpt = 1000;
/** Start errors that this machine will repeat; others (too many processes, no memory) are temporary. */
const lasting = new Set(['ENOENT', 'EACCES', 'ENOTDIR', 'EPERM', 'ENOEXEC', 'E2BIG', 'EINVAL']);

export function commandAction(parts: CommandActionParts): Action {
  return {
    kind: commandKind.kind,
    concurrency: parts.concurrency ?? defaults.concurrency,
    perform: (context: RunContext<CommandWork>) => performed(context, parts),
  };
}

/** Runs the command. In its result, printed secrets are replaced by their references. */
async function performed(
  context: RunContext<CommandWork>,
  parts: CommandActionParts,
): Promise<CommandResult> {
  const secrets = new AttemptSecrets(parts.secrets, context);
  try {
    return secrets.conceal(await perform(context, parts, secrets));
  } catch (error) {
    throw secrets.concealFailure(error);
  }
}

async function perform(
  context: RunContext<CommandWork>,
  parts: CommandActionParts,
  secrets: AttemptSecrets,
): Promise<CommandResult> {
  const { input: work, signal } = context;
  if (!parts.allowed) throw notAllowed(context);
  const { clock, outputLimit = defaults.outputLimit, graceMs = defaults.graceMs } = parts;
  const child = startChild(context, {
    clock,
    argv: work.argv,
    shell: work.shell === true,
    ...(work.cwd === undefined ? {} : { cwd: work.cwd }),
    env: environmentOf(context, parts, secrets),
    stdin: JSON.stringify(work.input ?? null),
    outputLimit,
    graceMs,
  });
  let timedOut = false;
  const timeoutMs = work.timeout === undefined ? undefined : readDuration(work.timeout);
  const onAbort = () => child.stop();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const cancelTimer =
    timeoutMs === undefined
      ? () => {}
      : clock.wakeAt(addTime(clock.now(), timeoutMs), () => {
          timedOut = true;
          child.stop();
        });
  try {
    const end = await child.ended;
    signal.throwIfAborted();
    if (timedOut && timeoutMs !== undefined)
      throw failed(
        work,
        end,
        `took longer than ${plainDuration(timeoutMs)} and was stopped`,
        'CommandTimedOut',
      );
    return resultOf(work, end);
  } catch (error) {
    throw isActionFailed(error) || signal.aborted ? error : notStarted(context, error);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
  }
}

/** Starts the command. The system reports some errors by throwing and others as events. */
function startChild(context: RunContext<CommandWork>, options: ChildOptions): Child {
  try {
    return new Child(options);
  } catch (error) {
    throw notStarted(context, error);
  }
}

function environmentOf(
  context: RunContext<CommandWork>,
  parts: CommandActionParts,
  secrets: AttemptSecrets,
): Record<string, string> {
  const { passEnv = [], env = {} } = context.input;
  const passed = ['PATH', ...passEnv].flatMap((name) => {
    const value = parts.environment(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, secrets.resolve(value)])),
    CARILLON_RUN_ID: context.id,
    CARILLON_NAMESPACE: context.namespace,
    CARILLON_SCHEDULE: context.schedule ?? '',
    CARILLON_SCHEDULED_AT: formatInstant(context.scheduledAt),
    CARILLON_ATTEMPT: String(context.attempt),
  };
}

function resultOf(work: CommandWork, end: ChildEnd): CommandResult {
  const { exitCode, signal, stdout, stderr } = end;
  if (exitCode !== 0) {
    const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `exited with code ${exitCode}`;
    throw failed(work, end, how, 'CommandFailed');
  }
  return { exitCode, ...outputOf({ stdout, stderr }) };
}

function outputOf({ stdout, stderr }: Pick<ChildEnd, 'stdout' | 'stderr'>): Omit<CommandResult, 'exitCode'> {
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    ...(stdout.cut === 0 ? {} : { stdoutCut: stdout.cut }),
    ...(stderr.cut === 0 ? {} : { stderrCut: stderr.cut }),
  };
}

function failed(work: CommandWork, end: ChildEnd, how: string, type: string): ActionFailed {
  const { exitCode, signal } = end;
  const all = end.stderr.text().trim();
  const excerpt = all.length <= longestExcerpt ? all : `…${all.slice(-longestExcerpt)}`;
  return new ActionFailed({
    message: `'${programOf(work)}' ${how}${excerpt === '' ? '' : `: ${excerpt}`}`,
    type,
    details: { exitCode, signal },
  });
}

function notStarted(context: RunContext<CommandWork>, error: unknown): ActionFailed {
  const { input: work } = context;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new ActionFailed({
    message: `cannot start '${programOf(work)}': ${reasonOf(work, code) ?? message}`,
    type: 'CommandNotStarted',
    details: { code },
    nonRetryable: lasting.has(code),
    startFailed: nothingBegan(context),
  });
}

/** The system reports a missing program and a missing directory with the same code. */
function reasonOf({ cwd }: CommandWork, code: string): string | undefined {
  if (cwd !== undefined && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return `there is no directory '${cwd}'`;
  }
  if (code === 'ENOENT') return 'there is no such program (ENOENT)';
  return code === 'EACCES' ? 'it is not executable (EACCES)' : undefined;
}

function notAllowed(context: RunContext<CommandWork>): ActionFailed {
  return new ActionFailed({
    message: `'${programOf(context.input)}' was not started: this process does not allow commands (allowCommands)`,
    type: 'CommandNotAllowed',
    nonRetryable: true,
    startFailed: nothingBegan(context),
  });
}

function programOf({ argv, shell }: CommandWork): string {
  return shell === true ? argv.join(' ') : (argv[0] ?? '');
}
