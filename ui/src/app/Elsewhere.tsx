/**
 * Shown when the key may not use the namespace of the address: which namespaces it may use, and how to use another key.
 */
import { forgetKey } from '../data/key.ts';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { sentence } from '../parts/sentence.ts';
import { rememberNamespace } from './namespace.ts';

interface ElsewhereProps {
  /** What the server said. */
  readonly message: string;
  /** The namespaces of the key. */
  readonly namespaces: readonly string[];
}

export function Elsewhere({ message, namespaces }: ElsewhereProps) {
  return (
    <main className="empty min-h-[60vh] content-center" id="main">
      <Icon name="lock" />
      <h1 className="text-drawer">Your key opens another namespace</h1>
      <p>{sentence(message)}</p>
      <p className="mt-2 flex flex-wrap justify-center gap-2">
        {namespaces.map((name) => (
          <Go
            key={name}
            className="btn"
            to={`/${encodeURIComponent(name)}/`}
            onClick={() => rememberNamespace(name)}
          >
            Open {name}
          </Go>
        ))}
        <button
          type="button"
          className="btn quiet"
          onClick={() => {
            forgetKey();
            location.reload();
          }}
        >
          Use another key
        </button>
      </p>
    </main>
  );
}
