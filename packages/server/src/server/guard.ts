/**
 * Refuses requests from web pages. A browser sends requests to any address that a page names, including loopback: a page can
 * post without a body, or point its own host name at 127.0.0.1. Two checks prevent both. They never affect programs other
 * than browsers.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';
import { demandOwnOrigin } from '../door/foreign-origin.ts';
import { isLoopback } from './bind.ts';

export interface GuardOptions {
  /** Whether the server listens on loopback only. Then no legitimate caller uses another host name. */
  readonly isLocal: boolean;
}

export function guard(method: string, headers: IncomingHttpHeaders, { isLocal }: GuardOptions): void {
  const { host = '' } = headers;
  if (isLocal && host !== '' && !isLoopback(nameOf(host))) {
    const message = `this server listens on loopback and does not answer to the name '${nameOf(host)}'`;
    throw new ServiceError({ code: 'permissionDenied', reason: 'FOREIGN_ORIGIN', message });
  }
  // A door whose GET changes something checks the origin itself.
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  demandOwnOrigin(headers);
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}
