/** Namespaces, API keys, nodes, and what is in force and where it comes from. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { Screen } from '../app/Screen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { forgetKey, readKey } from '../data/key.ts';
import { settingsQuery, useIsAdmin } from '../data/role.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { useNow } from '../time/now.ts';
import { sinceText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { looks } from '../verdict/verdict.ts';

export function Settings() {
  const scope = useScope();
  const { data, error, refetch } = useQuery(settingsQuery(scope));
  const isAdmin = useIsAdmin();
  return (
    <Screen
      crumbs={[{ text: 'Settings' }]}
      title="Settings"
      sub={data === undefined ? undefined : `You are ${data.actor}, ${roleWords[data.role] ?? data.role}.`}
      acts={
        readKey() === undefined ? undefined : (
          <button
            type="button"
            className="btn"
            onClick={() => {
              forgetKey();
              location.reload();
            }}
          >
            Forget the key of this browser
          </button>
        )
      }
    >
      <div className="stack">
        <Namespaces isAdmin={isAdmin} />
        {isAdmin ? <Keys /> : null}
        <section className="card" aria-labelledby="force">
          <header>
            <h2 id="force">What is in force</h2>
            <span className="t3">and where each value comes from</span>
          </header>
          {data === undefined ? (
            error === null ? (
              <SkeletonRows rows={8} height={36} />
            ) : (
              <Failed what="The settings" error={error} onRetry={() => void refetch()} />
            )
          ) : (
            <div className="scroll-x" tabIndex={0} role="group" aria-label="Table">
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">Setting</th>
                    <th scope="col">Value</th>
                    <th scope="col">Meaning</th>
                    <th scope="col">From</th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map(({ name, value, meaning, source, setBy }) => (
                    <tr key={name}>
                      <td>
                        <code>{name}</code>
                      </td>
                      <td className="mono">
                        {value === null ? <span className="t3">none</span> : String(value)}
                      </td>
                      <td className="t2">{meaning}</td>
                      <td>
                        <span className="tag">{sourceWords[source] ?? source}</span>
                        {setBy !== '' && <code className="t3 ml-1">{setBy}</code>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
        <section className="card" aria-labelledby="marks">
          <header>
            <h2 id="marks">The marks</h2>
            <span className="t3">
              what ran has a body, what did not is an outline; the family gives the colour
            </span>
          </header>
          <div className="body grid grid-cols-1 gap-x-6 gap-y-1.5 wide:grid-cols-4" data-marks="">
            {(Object.keys(looks) as Look[]).map((look) => (
              <div key={look} className="flex items-center justify-between gap-2">
                <span className="flex items-center gap-2">
                  <Mark look={look} />
                  {looks[look].word}
                </span>
                <code className="t3">{look}</code>
              </div>
            ))}
          </div>
        </section>
      </div>
    </Screen>
  );
}

const roleWords: Readonly<Record<string, string>> = {
  viewer: 'and may look',
  operator: 'and may change schedules and runs',
  admin: 'and may change everything',
};

const sourceWords: Readonly<Record<string, string>> = {
  default: 'default',
  file: 'configuration file',
  environment: 'environment',
  flag: 'flag',
  fixed: 'fixed',
};

function Namespaces({ isAdmin }: { readonly isAdmin: boolean }) {
  const scope = useScope();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: [scope.namespace, 'namespaces'],
    queryFn: async ({ signal }) => await scope.api.settings.namespaces({ signal }),
  });
  const [wrong, setWrong] = useState<string>();
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name') ?? '').trim();
    const retention = String(form.get('retention') ?? '').trim();
    event.currentTarget.reset();
    try {
      await scope.api.settings.createNamespace(name, retention === '' ? {} : { retention });
      showToast({ family: 'ran', text: `Created the namespace ${name}` });
      setWrong(undefined);
      await client.invalidateQueries({ queryKey: [scope.namespace, 'namespaces'] });
    } catch (error) {
      setWrong(troubleOf(error).message);
    }
  };
  return (
    <section className="card" aria-labelledby="namespaces">
      <header>
        <h2 id="namespaces">Namespaces</h2>
      </header>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
            <th scope="col">Retention</th>
          </tr>
        </thead>
        <tbody>
          {(data ?? []).map(({ name, description, retention }) => (
            <tr key={name}>
              <td className="font-medium">{name}</td>
              <td className="t2">{description}</td>
              <td>{retention ?? <span className="t3">the server's</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAdmin && (
        <form
          className="flex flex-wrap items-end gap-3 border-t border-line p-4"
          onSubmit={(event) => void create(event)}
        >
          <label>
            <span className="flabel">Name</span>
            <input name="name" className="input w-52!" required />
          </label>
          <label>
            <span className="flabel">Retention</span>
            <input name="retention" className="input w-32!" placeholder="30d" />
          </label>
          <button type="submit" className="btn">
            Create
          </button>
          {wrong !== undefined && (
            <span className="text-fail-t" role="alert">
              {wrong}
            </span>
          )}
        </form>
      )}
    </section>
  );
}

function Keys() {
  const scope = useScope();
  const client = useQueryClient();
  const now = useNow();
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'keys'],
    queryFn: async ({ signal }) => await scope.api.settings.keys({ signal }),
    retry: false,
  });
  const [secret, setSecret] = useState<{ readonly name: string; readonly secret: string }>();
  const [wrong, setWrong] = useState<string>();
  const [revoking, setRevoking] = useState<string>();
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    event.currentTarget.reset();
    try {
      const made = await scope.api.settings.createKey({
        name: String(form.get('name') ?? '').trim(),
        role: String(form.get('role') ?? 'viewer') as 'viewer',
      });
      setSecret(made);
      setWrong(undefined);
      await client.invalidateQueries({ queryKey: [scope.namespace, 'keys'] });
    } catch (reason) {
      setWrong(troubleOf(reason).message);
    }
  };
  const revoke = async (name: string) => {
    try {
      await scope.api.settings.revokeKey(name);
      showToast({ family: 'ran', text: `Revoked the key ${name}` });
      await client.invalidateQueries({ queryKey: [scope.namespace, 'keys'] });
    } catch (reason) {
      setWrong(troubleOf(reason).message);
    }
    setRevoking(undefined);
  };
  return (
    <section className="card" aria-labelledby="keys">
      <header>
        <h2 id="keys">API keys</h2>
      </header>
      {error !== null && <p className="body t3">{troubleOf(error).message}</p>}
      {data !== undefined && data.length === 0 && (
        <p className="body t3">There is none: every caller on this machine may do everything.</p>
      )}
      {data !== undefined && data.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Namespaces</th>
              <th scope="col">From</th>
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, role, namespaces, source, createdAt, createdBy }) => (
              <tr key={name}>
                <td className="font-medium">{name}</td>
                <td>{role}</td>
                <td>{namespaces === null ? 'all' : namespaces.join(', ')}</td>
                <td className="t2">
                  {source === 'file'
                    ? 'configuration file'
                    : `${createdBy ?? ''}${createdAt === null ? '' : `, ${sinceText(Date.parse(createdAt), now)}`}`}
                </td>
                <td className="num">
                  {source === 'made' && (
                    <button type="button" className="btn danger" onClick={() => setRevoking(name)}>
                      Revoke…
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form
        className="flex flex-wrap items-end gap-3 border-t border-line p-4"
        onSubmit={(event) => void create(event)}
      >
        <label>
          <span className="flabel">Name</span>
          <input name="name" className="input w-52!" required />
        </label>
        <label>
          <span className="flabel">Role</span>
          <select name="role" className="pick w-36!">
            <option>viewer</option>
            <option>operator</option>
            <option>admin</option>
          </select>
        </label>
        <button type="submit" className="btn">
          Create key
        </button>
        {wrong !== undefined && (
          <span className="text-fail-t" role="alert">
            {wrong}
          </span>
        )}
      </form>
      {secret !== undefined && (
        <div className="border-t border-line p-4">
          <Note family="busy" icon="lock">
            <b>The secret of {secret.name} is shown once.</b>
            <span className="mt-1 flex items-center gap-2">
              <code className="break-all">{secret.secret}</code>
              <CopyButton text={secret.secret} label="Copy the secret" />
            </span>
          </Note>
        </div>
      )}
      {revoking !== undefined && (
        <Dialog
          title={`Revoke the key ${revoking}`}
          onClose={() => setRevoking(undefined)}
          foot={
            <>
              <button type="button" className="btn danger" onClick={() => void revoke(revoking)}>
                Revoke
              </button>
              <button type="button" className="btn" onClick={() => setRevoking(undefined)}>
                Cancel
              </button>
            </>
          }
        >
          <p>Callers with this key are refused from now on. It cannot be undone.</p>
          <div className="mt-3">
            <Command text={`carillon key revoke ${revoking}`} />
          </div>
        </Dialog>
      )}
    </section>
  );
}
