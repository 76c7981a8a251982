/** The names that snippets on the pages use without declaring them: the reader's own program. */
import type { MountedCarillon } from '@carillon/server';
import type { Carillon, Schedules } from 'carillon';
import type { Periodic } from 'carillon/periodic';
import type { CarillonWorld, CarillonWorldOptions } from 'carillon/testing';

declare global {
  const carillon: Carillon;
  const schedules: Schedules;
  const world: CarillonWorld;
  const periodic: Periodic;
  const mounted: MountedCarillon;
  const setup: NonNullable<CarillonWorldOptions['setup']>;
  const seen: string[];
  const when: string;
  const what: string;
  const zone: string;
  const id: string;
  const gap: 'skip' | 'shift';
  const policy: { missed: 'all' | 'latest' };
  const january: { from: string; to: string };
  const ca: string;
  const connection: { readonly host: string; readonly port: number };
  const app: { get(path: string, handler: (request: unknown, reply: Reply) => unknown): void };
  const log: { warn(message: string): void };
  function buildReport(team: string, signal: AbortSignal): Promise<{ rows: number }>;
  function cleanUp(days: number): Promise<void>;
  function fetchPage(): Promise<string>;
  function reloadAll(): void;
  function pushJob(queue: string, job: object): Promise<void>;
  class RateLimited extends Error {
    readonly retryAfter: number;
  }
  function writeReport(): Promise<void>;
  function writeInvoices(options: { signal: AbortSignal; fence: number }): Promise<void>;
  function currentToken(): Promise<string>;

  interface Reply {
    type(contentType: string): Reply;
    send(body: string): unknown;
  }
}
