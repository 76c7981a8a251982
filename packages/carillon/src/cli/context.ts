/**
 * The environment of a command. Everything is passed as an argument, so that a test can run commands inside its own
 * process.
 */

import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import type { DocumentParser } from '../doctor/index.ts';

/** The YAML reader and writer of the server package. */
export interface Yaml {
  readonly parse: DocumentParser;
  /** Writes a manifest after a comment line. */
  write(manifest: object, remark: string): string;
}

export interface Output {
  write(text: string): void;
}

export interface Context {
  readonly now: Instant;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether each stream supports colours. */
  readonly colors: { readonly stdout: boolean; readonly stderr: boolean };
  /** The environment variables; default none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The name of the user; empty when unknown. */
  readonly user?: string;
  /** Resolves when the process receives a signal to end; default at once. */
  readonly untilAsked?: () => Promise<void>;
  /** Reads standard input to its end. */
  readonly readInput?: () => Promise<string>;
  /** The clock for long work. Without it, no progress is shown. */
  readonly clock?: Clock;
  /** The width of the terminal of `stderr` in characters; absent when it is not a terminal. */
  readonly columns?: number;
  /** Asks the user; absent when the session is not interactive. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Loads the YAML reader and writer; absent when the server package is not installed. */
  readonly yaml?: () => Promise<Yaml>;
  /** The command token of this user's `dev` server at the given address, if there is one. */
  readonly commandToken?: (url: string) => string | undefined;
  /** The time zone of this machine; default UTC. */
  readonly zone?: string;
}
