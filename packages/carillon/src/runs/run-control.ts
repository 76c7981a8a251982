/** How an execution stops runs that it started. Idempotent. */
export interface RunControl {
  /** Stops its unfinished runs up to an ordinal. */
  stopOwned(request: StopOwned): Promise<void>;
}

export interface StopOwned {
  readonly incarnation: string;
  readonly how: 'cancel' | 'terminate';
  readonly upTo: number;
  readonly reason: string;
}
