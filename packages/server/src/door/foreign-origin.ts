/** Tells requests that pages of other sites caused. Programs other than browsers send neither header. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';

/** Refuses a request that a page of another site sent. Needed for every request that changes something, GET included. */
export function demandOwnOrigin({ host = '', origin, ...headers }: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || (origin !== undefined && hostOf(origin) !== host)) {
    throw new ServiceError({
      code: 'permissionDenied',
      reason: 'FOREIGN_ORIGIN',
      message: 'pages of other sites may not change anything here',
    });
  }
}

/** The origin `null` and malformed origins have no host, and are foreign too. */
function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}
