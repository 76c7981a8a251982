/** Converts errors of the store to the error that doors send. */
import { ServiceError } from '../base/error.ts';
import { isStoreError } from '../store/error.ts';

/** Returns undefined when the error is not the store's. */
export function storeTrouble(error: unknown): ServiceError | undefined {
  if (!isStoreError(error)) return undefined;
  switch (error.trouble) {
    case 'conflict':
      return new ServiceError({
        code: 'aborted',
        reason: 'CONFLICT',
        message: 'another caller changed it at the same moment; try again',
        cause: error,
      });
    case 'unavailable':
      return new ServiceError({
        code: 'unavailable',
        reason: 'STORE_UNAVAILABLE',
        message: 'the store does not answer; try again with the same idempotency key',
        cause: error,
      });
    case 'corrupt':
      return new ServiceError({
        code: 'dataLoss',
        reason: 'STORE_DAMAGED',
        message:
          'the stored data is damaged, and a retry will not help: look into the log and restore a backup',
        cause: error,
      });
  }
}
