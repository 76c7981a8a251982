/** The error for a driver that is not installed, the same for stores, actions and imports: no retry helps, so the store is not to blame. */
import { ServiceError } from './error.ts';

/** What `import()` and `require()` say about a package that is absent. */
const absent: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** The error itself when it has another cause: a driver that is there and broken must show why. */
export function missingDriver(error: unknown, what: string, driver: string, install = driver): unknown {
  if (!absent.includes((error as { readonly code?: unknown } | null)?.code)) return error;
  return new ServiceError({
    code: 'failedPrecondition',
    reason: 'DRIVER_MISSING',
    message: `${what} needs the package '${driver}', which is not installed: npm install ${install}`,
    cause: error,
  });
}
