/**
 * What the rest of the system knows about a kind of work: its field in a schedule, how that field is checked and
 * stored, and its one-line summary. Each kind has one file; `kind.ts` lists them.
 */
import type { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { given } from '../base/given.ts';
import { actionQueue, targetQueue } from './action.ts';

/** Work as it is stored with a schedule and passed to the worker that performs it. */
export interface StoredWork {
  /** The name of the handler. */
  readonly name: string;
  readonly queue: string;
  readonly input: unknown;
}

/** The fields of a schedule about its work, except the target itself. */
export interface WorkFields {
  readonly input?: unknown;
  readonly queue?: string;
}

export interface ActionKind<Name extends string = string, Target = unknown> {
  /** The field of a schedule that selects this kind. */
  readonly kind: Name;
  /** The schema of that field, which is optional. */
  readonly schema: z.ZodOptional<z.ZodType>;
  /** The problems of a target that matches the schema, each with its path in the schedule. */
  problems(target: Target): readonly Problem[];
  /** The attempts of one run when the schedule gives none. Absent: one, the queue's default. */
  readonly attempts?: number;
  /** Whether the work goes on outside when an attempt ends without knowing how, so that a stopped run has to withdraw it. */
  readonly outlasts?: true;
  store(target: Target, fields: WorkFields): StoredWork;
  /** The inverse of `store`: the fields from which this work was stored. */
  write(work: StoredWork): Readonly<Record<string, unknown>>;
  /** A one-line summary, such as `POST https://example.com/hook`. */
  summary(work: StoredWork): string;
  /** Whether an attempt ends by itself, because the target has its own timeout. */
  isTimed(work: StoredWork): boolean;
  /**
   * The target in which `visit` has replaced every text that may hold a secret; `visit` receives the path in the
   * schedule. Absent: the kind has no such texts. See `redaction.ts`.
   */
  readonly sensitive?: (target: Target, visit: (path: string, value: string) => string) => unknown;
  /** Set for a kind that runs programs of this machine, as the user of this process. */
  readonly runsPrograms?: true;
  /** The command-line options of this kind. Absent: it can only be given in a file. */
  readonly commandLine?: CommandLine;
  /**
   * Makes the target of a periodic task's job from the task's own target. Absent: periodic tasks cannot use this
   * kind.
   */
  readonly ofJob?: (target: never, job: Job) => unknown;
  /** The schema of the server's configuration for this kind, under its name. Absent: there is none. */
  readonly settings?: z.ZodOptional<z.ZodType>;
}

/** A job of the periodic registry. */
export interface Job {
  readonly name: string;
  readonly payload: unknown;
}

export interface CommandLine {
  /** The options that select this kind. */
  readonly choosing: readonly CommandOption[];
  /** Further options of this kind. */
  readonly further: readonly CommandOption[];
  /**
   * Reads the target from the values of these options, by their camel-cased names. Returns undefined when this kind
   * was not selected.
   */
  read(options: Readonly<Record<string, unknown>>): unknown;
}

export interface CommandOption {
  /** `--method <method>` */
  readonly flags: string;
  readonly description: string;
}

/**
 * Stores work outside this program: the target, together with the schedule's input, becomes the input of a run on the
 * kind's own queue.
 */
export function workElsewhere<Name extends string, Target extends object>(
  row: Omit<ActionKind<Name, Target>, 'store' | 'write' | 'summary' | 'isTimed' | 'ofJob' | 'settings'> & {
    summary(target: Target): string;
    isTimed(target: Target): boolean;
    /** For a kind with a queue for each target. */
    readonly targetName?: (target: Target) => string | undefined;
    /** The name of its runs. Default the kind. */
    readonly runName?: (target: Target) => string;
  },
): ActionKind<Name, Target> {
  const { targetName, runName, ...known } = row;
  const { kind, summary, isTimed } = known;
  // The work was checked against this kind's schema before it was stored.
  const targetOf = ({ input }: StoredWork) => input as Target & { readonly input?: unknown };
  return {
    ...known,
    store: (target, { input }) => ({
      name: runName?.(target) ?? kind,
      queue: targetName === undefined ? actionQueue(kind) : targetQueue(kind, targetName(target)),
      input: { ...target, ...given({ input }) },
    }),
    write: (work) => {
      const { input, ...target } = targetOf(work);
      return { [kind]: target, ...given({ input }) };
    },
    summary: (work) => summary(targetOf(work)),
    isTimed: (work) => isTimed(targetOf(work)),
  };
}
