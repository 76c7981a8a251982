/** Backups: copies of a SQLite store that its server makes. */
import type { CallOptions, Transport } from './transport.ts';

export interface BackupInfo {
  readonly id: string;
  /** The file on the server's machine. */
  readonly path: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly pagesDone: number;
  /** Pages of the whole copy; 0 while unknown. */
  readonly pagesTotal: number;
  /** The size of the copy; null until it is done. */
  readonly bytes: number | null;
  /** Why the backup failed; null when it did not. */
  readonly error: string | null;
}

export class BackupsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a backup to a path relative to the folder of the store. Does not wait for its end. */
  async start(path: string, options: CallOptions = {}): Promise<BackupInfo> {
    return await this.#transport.call('POST', '/backups', { ...options, body: { path } });
  }

  /** The progress of a backup. */
  async get(id: string, options: CallOptions = {}): Promise<BackupInfo> {
    return await this.#transport.call('GET', `/backups/${encodeURIComponent(id)}`, options);
  }
}
