/** A part of the page that could not be read: what, why, that nothing was changed, and how to go on. */
import { troubleOf } from '../data/api.ts';

interface FailedProps {
  /** `The slots` */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failed({ what, error, onRetry }: FailedProps) {
  const { message, requestId, isAbsent, isOffline } = troubleOf(error);
  return (
    <div className="empty" role="alert">
      <h3>
        {what} {isAbsent ? 'cannot be found' : 'could not be read'}
      </h3>
      <p>{isOffline ? 'The server does not answer. The page tries again by itself.' : message}</p>
      {onRetry !== undefined && (
        <button type="button" className="btn mt-2" onClick={onRetry}>
          Try now
        </button>
      )}
      {requestId !== undefined && <code className="t3">request {requestId}</code>}
    </div>
  );
}
