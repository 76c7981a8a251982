/**
 * Keeps web pages out. A browser sends requests to any address a page names, also to this machine's own, so that an open
 * port on loopback is not out of reach: a page may post without a body, or point a name of its own at 127.0.0.1. Two checks
 * close both ways; programs other than browsers never notice them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';
import { isLoopback } from './bind.ts';

export interface GuardOptions {
  /** Listening on loopback only: then no caller can have reached us under another name in good faith. */
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
    // `null` and nonsense are not us either.
  }
  if (from !== host) throw refused('pages of other sites may not change anything here');
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, '');
}

function refused(message: string): ServiceError {
  return new ServiceError({ code: 'permissionDenied', reason: 'FOREIGN_ORIGIN', message });
}
