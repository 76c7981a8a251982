/** What a command may touch. Everything arrives as an argument, so a test runs commands inside its own process. */
import type { Instant } from '../base/time.ts';

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
  /** Resolves when somebody asks the process to end; default at once. */
  readonly untilAsked?: () => Promise<void>;
  /** Reads standard input to its end. */
  readonly readInput?: () => Promise<string>;
}
