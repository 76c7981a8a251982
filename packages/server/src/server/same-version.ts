/** Library and server are published together and share internal code, so the server refuses a library of another version. */
import { ServiceError } from 'carillon/internal/base';
import type { openLog } from './log.ts';
import { version } from './version.ts';

/** `libraryVersion` is the version of the library that opened the Carillon, which may be another copy than the server's. */
export function demandSameVersion(
  libraryVersion: string,
  log: Pick<ReturnType<typeof openLog>, 'error'>,
): void {
  if (libraryVersion === version) return;
  const versions = { carillon: libraryVersion, '@carillon/server': version };
  log.error(versions, 'library and server are of different versions');
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'VERSION_MISMATCH',
    message: `carillon is ${libraryVersion} and @carillon/server is ${version}; they work together in the same version only: npm install carillon@${version} @carillon/server@${version}`,
  });
}
