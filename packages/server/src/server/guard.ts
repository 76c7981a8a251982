/**
 * Refuses requests from web pages. A browser sends requests to any address that a page names, including loopback: a page can
 * post without a body, or point its own host name at 127.0.0.1. Two checks prevent both. They never affect programs other
 * than browsers.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';
import { isLoopback } from './bind.ts';

export interface GuardOptions {
  /** Whether the server listens on loopback only. Then no legitimate caller uses another host name. */
  readonly isLocal: boolean;
}

export function guard(method: string, headers: IncomingHttpHeaders, { isLocal }: GuardOptions): void {
  const { host = '', origin } = headers;
  if (isLocal && host !== '' && !isLoopback(nameOf(host))) {
    throw refused(`this server listens on loopback and does not answer to the name '${nameOf(host)}'`);
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || origin === undefined) return;
  let from = '';
  try {
    from = new URL(origin).host;
  } catch {
    // The origin `null` and malformed origins are foreign too.
  }
  if (from !== host) throw refused('pages of other sites may not change anything here');
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function refused(message: string): ServiceError {
  return new ServiceError({ code: 'permissionDenied', reason: 'FOREIGN_ORIGIN', message });
}
