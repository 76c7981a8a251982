/** The namespaces, and how long each keeps its finished runs. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Failed } from '../parts/Failed.tsx';
import { NewForm } from '../parts/NewForm.tsx';
import { Table } from '../parts/Table.tsx';
import { showToast } from '../parts/toast.ts';
import { quoted } from '../schedules/filter.ts';

export function Namespaces({ isAdmin }: { readonly isAdmin: boolean }) {
  const { api, namespace } = useScope();
  const client = useQueryClient();
  const key = [namespace, 'namespaces'];
  const {
    data = [],
    error,
    refetch,
  } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await api.settings.namespaces({ signal }),
  });
  const [changing, setChanging] = useState<string>();
  const reread = async (text: string) => {
    showToast({ family: 'ran', text });
    await client.invalidateQueries({ queryKey: key });
  };
  return (
    <section className="card" aria-labelledby="namespaces">
      <header>
        <h2 id="namespaces">Namespaces</h2>
        <span className="t3">
          finished runs are kept as long as the namespace says, and never longer than the server
        </span>
      </header>
      {error !== null ? (
        <Failed what="The namespaces" error={error} onRetry={() => void refetch()} />
      ) : (
        <Table
          name="Namespaces"
          head={['Name', 'Description', 'Keeps runs', 'From', { text: 'Actions', isSilent: true }]}
        >
          {data.map(({ name, description, retention, kept, keptBy }) => (
            <tr key={name}>
              <td className="font-medium">{name}</td>
              <td className="t2">{description}</td>
              <td className="mono">{kept}</td>
              <td>
                <span className="tag">{keptBy === 'namespace' ? 'this namespace' : 'the server'}</span>
                {keptBy === 'server' && retention !== null && (
                  <span className="t3 ml-2">it asked for {retention}</span>
                )}
              </td>
              <td className="num">
                {isAdmin && (
                  <button type="button" className="btn quiet" onClick={() => setChanging(name)}>
                    Change…
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {isAdmin && (
        <NewForm
          verb="Create"
          onMake={async (field) => {
            const name = field('name');
            const retention = field('retention');
            await api.settings.createNamespace(name, retention === '' ? {} : { retention });
            await reread(`Created the namespace ${name}`);
          }}
        >
          <label>
            <span className="flabel">Name</span>
            <input name="name" className="input w-52!" required />
          </label>
          <label>
            <span className="flabel">Keeps runs</span>
            <input name="retention" className="input w-32!" placeholder="as the server" />
          </label>
        </NewForm>
      )}
      {changing !== undefined && (
        <Dialog
          title={`How long ${changing} keeps its runs`}
          sub="A shorter time than the server's takes effect within a minute; older runs are removed for good."
          onClose={() => setChanging(undefined)}
        >
          <NewForm
            verb="Save"
            onMake={async (field) => {
              await api.settings.updateNamespace(changing, { retention: field('retention') });
              await reread(`${changing} keeps its runs ${field('retention')}`);
              setChanging(undefined);
            }}
          >
            <label>
              <span className="flabel">Keeps runs</span>
              <input name="retention" className="input w-40!" placeholder="7d" required />
            </label>
          </NewForm>
          <div className="mt-3">
            <Command text={`carillon runs --namespace ${quoted(changing)}`} />
          </div>
        </Dialog>
      )}
    </section>
  );
}
