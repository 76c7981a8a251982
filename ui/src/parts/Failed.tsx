/** A part of the page that could not be read: what, why, that nothing was changed, and how to go on. */
import { troubleOf } from '../data/api.ts';
import { Go } from './Go.tsx';
import { sentence } from './sentence.ts';

interface FailedProps {
  /** The name of the part, such as `The slots`. */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** The address of a name, for names that the server suggests. */
  readonly linkOf?: (name: string) => string;
  /** The list in which to look when there is no such thing. */
  readonly list?: { readonly to: string; readonly text: string };
}

export function Failed({ what, error, onRetry, linkOf, list }: FailedProps) {
  const { message, requestId, isAbsent, isOffline, meant } = troubleOf(error);
  return (
    <div className="empty" role="alert">
      <h2>
        {what} {isAbsent ? 'cannot be found' : 'could not be read'}
      </h2>
      <p>{isOffline ? 'The server does not answer. The page tries again by itself.' : sentence(message)}</p>
      {linkOf !== undefined && meant.length > 0 && (
        <p className="flex flex-wrap justify-center gap-2">
          {meant.map((name) => (
            <Go key={name} className="btn" to={linkOf(name)}>
              {name}
            </Go>
          ))}
        </p>
      )}
      {isAbsent && list !== undefined && (
        <Go className="btn mt-2" to={list.to}>
          {list.text}
        </Go>
      )}
      {/* Another try does not find what does not exist. */}
      {onRetry !== undefined && !isAbsent && (
        <button type="button" className="btn mt-2" onClick={onRetry}>
          Try now
        </button>
      )}
      {requestId !== undefined && <code className="t3">request {requestId}</code>}
    </div>
  );
}
