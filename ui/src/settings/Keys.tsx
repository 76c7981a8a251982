/** API keys: list, create with the secret shown once, revoke. For admins. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { KeyInfo } from 'carillon/client';
import { Suspense, useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { useKeptFocus } from '../parts/kept-focus.ts';
import { NewForm } from '../parts/NewForm.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { Table } from '../parts/Table.tsx';
import { showToast } from '../parts/toast.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import { useNow } from '../time/now.ts';
import { sinceText } from '../time/text.ts';
import { keyChanges } from './key-changes.ts';

const KeyChanges = lazyPart(async () => (await import('./KeyChanges.tsx')).KeyChanges);

export function Keys() {
  const scope = useScope();
  const client = useQueryClient();
  const now = useNow();
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'keys'],
    queryFn: async ({ signal }) => await scope.api.settings.keys({ signal }),
    retry: false,
  });
  const [secret, setSecret] = useState<{ readonly name: string; readonly secret: string }>();
  const isOffline = useLiveState().is === 'offline';
  const [revoking, setRevoking] = useState<string>();
  const [isHistory, setHistory] = useState(false);
  const kept = useKeptFocus<HTMLElement>();
  const revoke = async (name: string) => {
    try {
      await scope.api.settings.revokeKey(name);
      showToast({ family: 'ran', text: `Revoked the key ${name}` });
      await client.invalidateQueries({ queryKey: [scope.namespace, 'keys'] });
      await client.invalidateQueries({ queryKey: keyChanges });
    } catch (reason) {
      showToast({ family: 'fail', text: `Not revoked: ${name}`, detail: troubleOf(reason).message });
    }
    setRevoking(undefined);
  };
  return (
    <section className="card" aria-labelledby="keys" {...kept}>
      <header>
        <h2 id="keys">API keys</h2>
        <span className="flex-1" />
        <button
          type="button"
          className="btn quiet"
          aria-expanded={isHistory}
          onClick={() => setHistory(!isHistory)}
        >
          {isHistory ? 'Hide their history' : 'Who made and revoked them'}
        </button>
      </header>
      {error !== null && <p className="body t3">{troubleOf(error).message}</p>}
      {data !== undefined && data.length === 0 && (
        <p className="body t3">There is none: every caller on this machine may do everything.</p>
      )}
      {data !== undefined && data.length > 0 && (
        <Table
          name="API keys"
          head={['Name', 'Role', 'Namespaces', 'From', { text: 'Actions', isSilent: true }]}
        >
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
        </Table>
      )}
      <NewForm
        verb="Create key"
        onMake={async (field) => {
          const role = field('role') as KeyInfo['role'];
          const namespaces = field('namespaces')
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== '');
          const limited = namespaces.length === 0 ? {} : { namespaces };
          setSecret(await scope.api.settings.createKey({ name: field('name'), role, ...limited }));
          await client.invalidateQueries({ queryKey: [scope.namespace, 'keys'] });
          await client.invalidateQueries({ queryKey: keyChanges });
        }}
      >
        <label>
          <span className="flabel">Name</span>
          <input name="name" className="input w-52!" required />
        </label>
        <label>
          <span className="flabel">Role</span>
          <select name="role" className="pick w-36!">
            <option>viewer</option>
            <option>worker</option>
            <option>operator</option>
            <option>admin</option>
          </select>
        </label>
        <label>
          <span className="flabel">Namespaces</span>
          <input name="namespaces" className="input w-52!" placeholder="all, or default, billing" />
        </label>
      </NewForm>
      <div role="status">
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
      </div>
      {isHistory && (
        <Suspense>
          <KeyChanges />
        </Suspense>
      )}
      {revoking !== undefined && (
        <Dialog
          title={`Revoke the key ${revoking}`}
          onClose={() => setRevoking(undefined)}
          foot={
            <>
              <button
                type="button"
                className="btn danger"
                disabled={isOffline}
                onClick={() => void revoke(revoking)}
              >
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
            <Command text={`carillon key revoke ${quoted(revoking)}`} />
          </div>
        </Dialog>
      )}
    </section>
  );
}
