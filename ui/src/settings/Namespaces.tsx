/** The namespaces, and how long each keeps its finished runs. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { NamespaceInfo } from 'carillon/client';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { Failed } from '../parts/Failed.tsx';
import { NewForm } from '../parts/NewForm.tsx';
import { Table } from '../parts/Table.tsx';
import { showToast } from '../parts/toast.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';

const NamespaceAsk = lazyDialog(async () => (await import('./NamespaceAsk.tsx')).NamespaceAsk);

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
  const [changing, setChanging] = useState<NamespaceInfo>();
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
          {data.map((each) => {
            const { name, description, retention, kept, keptBy } = each;
            return (
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
                    <button type="button" className="btn quiet" onClick={() => setChanging(each)}>
                      Change…
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {isAdmin && (
        <NewForm
          verb="Create"
          onMake={async (field) => {
            const name = field('name');
            const retention = field('retention');
            const description = field('description');
            await api.settings.createNamespace(name, {
              ...(retention === '' ? {} : { retention }),
              ...(description === '' ? {} : { description }),
            });
            await reread(`Created the namespace ${name}`);
          }}
        >
          <label>
            <span className="flabel">Name</span>
            <input name="name" className="input w-52!" required />
          </label>
          <label>
            <span className="flabel">Description</span>
            <input name="description" className="input w-52!" />
          </label>
          <label>
            <span className="flabel">Keeps runs</span>
            <input name="retention" className="input w-32!" placeholder="as the server" />
          </label>
        </NewForm>
      )}
      {changing !== undefined && (
        <NamespaceAsk
          of={changing}
          onDone={(text) => void reread(text)}
          onClose={() => setChanging(undefined)}
        />
      )}
    </section>
  );
}
