/** How an execution stops runs that it started. Idempotent. */
export interface RunControl {
  /** Stops its unfinished runs up to a place in the order of their starts. */
  stopOwned(request: StopOwned): Promise<void>;
}

export interface StopOwned {
  readonly incarnation: string;
  readonly how: 'cancel' | 'terminate';
  readonly upTo: number;
  readonly reason: string;
}
