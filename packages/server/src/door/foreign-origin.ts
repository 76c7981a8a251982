/** Recognises requests from pages of other sites. Programs other than browsers send neither header. */
import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from 'carillon/internal/base';

/**
 * Refuses a request that a page of another site sent. Needed for every request that changes something, GET included. Browsers
 * say in `Sec-Fetch-Site` whose page it was, and no script can set that header; it counts also behind a proxy that gives the
 * request another `Host`. Where it is absent (old browsers, plain HTTP to another machine), origin and host must agree.
 */
export function demandOwnOrigin({ host = '', origin, ...headers }: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  const isForeign =
    site === undefined
      ? origin !== undefined && hostOf(origin) !== host
      : site !== 'same-origin' && site !== 'none';
  if (isForeign) {
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
