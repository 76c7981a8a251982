/** The interface through which the engine is observed. Every method is called after the fact and must not throw. */
import type { ExecutionKey } from '../store/records.ts';
import type { Selection } from '../store/store.ts';
import type { Fact } from './component.ts';

export interface Observer {
  /** A committed transaction reported this fact about an execution, or with null about something that the fact itself names. */
  fact(key: ExecutionKey | null, fact: Fact): void;
  /** An execution was quarantined; an operator must look. */
  incident(key: ExecutionKey, error: unknown): void;
  /** A step was committed. */
  stepped(step: { readonly executions: number; readonly tookMs: number }): void;
  /** Whether the observer wants to know how long transactions take. */
  isTiming(): boolean;
  /** A transaction of this kind was committed; the time is measured inside the store and includes waiting for locks. */
  transacted(kind: Selection['kind'], tookMs: number): void;
  /**
   * A commit was lost to another node and is decided again, or refused to its caller; undefined when it was not about one
   * execution alone.
   */
  conflicted(key: ExecutionKey | undefined): void;
  /** The store failed; the engine continues after a pause. */
  trouble(error: unknown): void;
}

export const silentObserver: Observer = {
  fact: () => {},
  incident: () => {},
  stepped: () => {},
  isTiming: () => false,
  transacted: () => {},
  conflicted: () => {},
  trouble: () => {},
};
