/** Asks for an API key when the server wants one. The key is tried before it is kept. */
import { CarillonClient } from 'carillon/client';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { serverUrl } from '../data/address.ts';
import { troubleOf } from '../data/api.ts';
import { keepKey, readKey } from '../data/key.ts';
import { Bells } from '../parts/Icon.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { addressNow, goTo } from '../route/address.ts';
import { paramsOf } from '../route/match.ts';
import { lastNamespace, rememberNamespace } from './namespace.ts';

export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [wrong, setWrong] = useState<string>();
  const [hadKey] = useState(() => readKey() !== undefined);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const key = String(form.get('key') ?? '').trim();
    const trouble = await troubleWith(key);
    if (trouble !== undefined) return setWrong(trouble);
    keepKey(key, form.get('keep') !== null);
    onDone();
  };
  return (
    <main className="grid min-h-screen place-items-center p-4" id="main">
      <form className="card w-full max-w-90 p-6" onSubmit={submit}>
        <div className="mb-4 flex items-center gap-2.5 text-[15px] font-semibold">
          <span className="text-bronze">
            <Bells />
          </span>
          Carillon
        </div>
        <h1 className="text-drawer mb-1">This server asks for a key</h1>
        {hadKey && <p className="mb-1">It does not take the key of this browser any more.</p>}
        <p className="t2 mb-4">
          An administrator makes one with <code>carillon key create</code>.
        </p>
        <label className="flabel" htmlFor="key">
          API key
        </label>
        <input
          id="key"
          ref={takeFocus}
          name="key"
          type="password"
          autoComplete="current-password"
          className="input mono"
          required
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : 'wrong'}
        />
        {wrong !== undefined && (
          <p className="help wrong" id="wrong" role="alert">
            {wrong}
          </p>
        )}
        <label className="mt-3 flex items-center gap-2">
          <input type="checkbox" name="keep" className="check" />
          Keep it in this browser
        </label>
        <button type="submit" className="btn primary mt-4">
          Open
        </button>
      </form>
    </main>
  );
}

/**
 * Why the server does not take a key. A key for other namespaces is accepted: where the address names no place, it
 * opens one of its own namespaces.
 */
async function troubleWith(key: string): Promise<string | undefined> {
  const { path } = addressNow();
  const { namespace = lastNamespace() } =
    paramsOf('/$namespace', path.split('/').slice(0, 2).join('/')) ?? {};
  try {
    await new CarillonClient({ url: serverUrl, key, namespace, attempts: 1 }).about();
    return undefined;
  } catch (error) {
    const { reason, message, isRefused, meant } = troubleOf(error);
    const [own] = meant;
    if (reason !== 'PERMISSION_DENIED' || own === undefined)
      return isRefused ? 'The server does not know this key.' : message;
    if (paramsOf('/$namespace/', path) !== undefined || paramsOf('/', path) !== undefined) {
      rememberNamespace(own);
      goTo(`/${encodeURIComponent(own)}/`, { replace: true });
    }
    return undefined;
  }
}
