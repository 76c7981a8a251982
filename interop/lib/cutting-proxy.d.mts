export class CuttingProxy implements AsyncDisposable {
  /** Connections that were cut. */
  readonly cut: number;
  readonly address: string;
  constructor(target: string, options: { readonly every: number; readonly most: number });
  open(): Promise<this>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
