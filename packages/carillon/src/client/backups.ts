/** Copies of a SQLite store that its server makes. */
import type { CallOptions, Transport } from './transport.ts';

export interface BackupInfo {
  readonly id: string;
  /** The file, on the server's machine. */
  readonly path: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly pagesDone: number;
  /** 0 while unknown. */
  readonly pagesTotal: number;
  /** Of the copy; null until it is done. */
  readonly bytes: number | null;
  /** Why it failed. */
  readonly error: string | null;
}

export class BackupsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Begins a copy at a path relative to the folder of the store; does not wait for its end. */
  async start(path: string, options: CallOptions = {}): Promise<BackupInfo> {
    return await this.#transport.call('POST', '/backups', { ...options, body: { path } });
  }

  /** How far the copy has come. */
  async get(id: string, options: CallOptions = {}): Promise<BackupInfo> {
    return await this.#transport.call('GET', `/backups/${encodeURIComponent(id)}`, options);
  }
}
