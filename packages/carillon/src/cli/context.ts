/** What a command may touch. Everything arrives as an argument, so a test runs commands inside its own process. */

import type { Clock } from '../base/clock.ts';
import type { Instant } from '../base/time.ts';
import type { DocumentParser } from '../doctor/index.ts';

/** YAML, which the server package brings. */
export interface Yaml {
  readonly parse: DocumentParser;
  /** Writes a manifest below one line of remark. */
  write(manifest: object, remark: string): string;
}

export interface Output {
  write(text: string): void;
}

export interface Context {
  readonly now: Instant;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether each stream may carry colours. */
  readonly colors: { readonly stdout: boolean; readonly stderr: boolean };
  /** Variables of the environment; default none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Name of the person at the keyboard; empty when unknown. */
  readonly user?: string;
  /** Resolves when the process is asked to end; default at once. */
  readonly untilAsked?: () => Promise<void>;
  /** Reads standard input to its end. */
  readonly readInput?: () => Promise<string>;
  /** For work that takes a while: how long, and when to look again. Without one, nothing is said of progress. */
  readonly clock?: Clock;
  /** Characters across the terminal behind `stderr`; absent when there is none. */
  readonly columns?: number;
  /** Asks the person at the keyboard; absent when no person is there. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Loads what reads and writes YAML; absent where the server package is not installed. */
  readonly yaml?: () => Promise<Yaml>;
  /** The token for commands of a `dev` server of this user at the given address, if there is one. */
  readonly commandToken?: (url: string) => string | undefined;
  /** Zone of this machine; default UTC. */
  readonly zone?: string;
}
