/** The one seam through which the engine is watched. Every method is called after the fact and must not throw. */
import type { ExecutionKey } from '../store/records.ts';
import type { Selection } from '../store/store.ts';
import type { Fact } from './node.ts';

export interface Observer {
  /** A committed transaction reported this. */
  fact(key: ExecutionKey, fact: Fact): void;
  /** An execution was quarantined; somebody must look. */
  incident(key: ExecutionKey, error: unknown): void;
  /** A step was committed. */
  stepped(step: { readonly executions: number; readonly tookMs: number }): void;
  /** Whether somebody wants to know how long transactions take. */
  isTiming(): boolean;
  /** A transaction of this kind was committed; the time is that inside the store, waiting for others included. */
  transacted(kind: Selection['kind'], tookMs: number): void;
  /** The store failed; the engine goes on after a pause. */
  trouble(error: unknown): void;
}

export const silentObserver: Observer = {
  fact: () => {},
  incident: () => {},
  stepped: () => {},
  isTiming: () => false,
  transacted: () => {},
  trouble: () => {},
};
