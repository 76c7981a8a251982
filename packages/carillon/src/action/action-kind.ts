/**
 * What the rest of the system knows about a kind of work: the field of a schedule that asks for it, how that field is
 * checked and stored, and how it reads in one line. One file per kind says all of it; `kind.ts` lists them.
 */
import type { z } from 'zod';
import type { Problem } from '../base/error.ts';
import { given } from '../base/given.ts';
import { actionQueue } from './action.ts';

/** How a kind of work is kept with a schedule, and handed to the worker that performs it. */
export interface StoredWork {
  /** Name of the handler. */
  readonly name: string;
  readonly queue: string;
  readonly input: unknown;
}

/** What a schedule says about its work, beside the target itself. */
export interface WorkFields {
  readonly input?: unknown;
  readonly queue?: string;
}

export interface ActionKind<Name extends string = string, Target = unknown> {
  /** The field of a schedule that asks for this kind. */
  readonly kind: Name;
  /** Shape of that field; it may be left out. */
  readonly schema: z.ZodOptional<z.ZodType>;
  /** What is wrong with a target whose shape is right, each with its path from the schedule on. */
  problems(target: Target): readonly Problem[];
  /** Attempts of one run when the schedule does not say. Absent: the queue's own default, one. */
  readonly attempts?: number;
  store(target: Target, fields: WorkFields): StoredWork;
  /** The inverse of `store`: the fields that would be stored like this. */
  write(work: StoredWork): Readonly<Record<string, unknown>>;
  /** One line for people: `POST https://example.com/hook`. */
  summary(work: StoredWork): string;
  /** Whether an attempt ends by itself, because the target has a timeout of its own. */
  isTimed(work: StoredWork): boolean;
  /**
   * The target with every text in a place where secrets belong replaced by what `visit` makes of it, given the path from
   * the schedule on. Absent: the kind has no such places. See `redaction.ts`.
   */
  readonly sensitive?: (target: Target, visit: (path: string, value: string) => string) => unknown;
  /** It runs programs of this machine, as the user that our process runs as. */
  readonly runsPrograms?: true;
  /** How the command line asks for this kind; absent: by a file only. */
  readonly commandLine?: CommandLine;
  /** How a periodic task hands its job to this kind, given what the task itself says of the target; absent: it cannot. */
  readonly ofJob?: (target: never, job: Job) => unknown;
  /** What the configuration of a server may say about this kind, under its name; absent: nothing. */
  readonly settings?: z.ZodOptional<z.ZodType>;
}

/** A job of the periodic registry. */
export interface Job {
  readonly name: string;
  readonly payload: unknown;
}

export interface CommandLine {
  /** Options that choose this kind. */
  readonly choosing: readonly CommandOption[];
  /** Options that say more about it. */
  readonly further: readonly CommandOption[];
  /** The target, from the values of these options by their camel-cased names; undefined: this kind was not chosen. */
  read(options: Readonly<Record<string, unknown>>): unknown;
}

export interface CommandOption {
  /** `--method <method>` */
  readonly flags: string;
  readonly description: string;
}

/** Work elsewhere keeps its target, and beside it the schedule's input, as the input of a run on a queue of its own. */
export function workElsewhere<Name extends string, Target extends object>(
  row: Omit<ActionKind<Name, Target>, 'store' | 'write' | 'summary' | 'isTimed' | 'ofJob' | 'settings'> & {
    summary(target: Target): string;
    isTimed(target: Target): boolean;
  },
): ActionKind<Name, Target> {
  const { kind, summary, isTimed } = row;
  // What was stored under this kind was checked against its schema before.
  const targetOf = ({ input }: StoredWork) => input as Target & { readonly input?: unknown };
  return {
    ...row,
    store: (target, { input }) => ({
      name: kind,
      queue: actionQueue(kind),
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
