/** Namespaces, API keys, nodes, and the settings in force with their sources. */
import { useQuery } from '@tanstack/react-query';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { forgetKey, readKey } from '../data/key.ts';
import { nodesQuery } from '../data/queries.ts';
import { settingsQuery, useIsAdmin } from '../data/role.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Nodes } from '../parts/Nodes.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { looks } from '../verdict/verdict.ts';
import { InForce } from './InForce.tsx';
import { Keys } from './Keys.tsx';
import { Namespaces } from './Namespaces.tsx';

export function Settings() {
  const scope = useScope();
  const { data, error, refetch } = useQuery(settingsQuery(scope));
  const nodes = useQuery(nodesQuery(scope));
  const isAdmin = useIsAdmin();
  return (
    <Screen
      crumbs={[{ text: 'Settings' }]}
      title="Settings"
      sub={
        data === undefined
          ? undefined
          : `${data.demandsKeys ? `You use the key ${data.actor} and` : 'The server asks for no key: every caller'} ${roleWords[data.role] ?? data.role}. Carillon ${data.version} on ${storeWords[data.store] ?? data.store}.`
      }
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
        {nodes.error === null ? (
          <Nodes nodes={nodes.data ?? []} />
        ) : (
          <section className="card" aria-label="Nodes">
            <Failed what="The nodes" error={nodes.error} onRetry={() => void nodes.refetch()} />
          </section>
        )}
        {data === undefined ? (
          <section className="card" aria-label="What is in force">
            {error === null ? (
              <SkeletonRows rows={8} height={36} />
            ) : (
              <Failed what="The settings" error={error} onRetry={() => void refetch()} />
            )}
          </section>
        ) : (
          <InForce items={data.items} />
        )}
        {data !== undefined && !isAdmin && (
          <Note family="spec" icon="lock">
            Keys and what the configuration file says are for admins.
          </Note>
        )}
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
        <div className="max-w-140">
          <Command text="carillon nodes" />
        </div>
        <div className="max-w-140">
          <Command text="carillon namespace list" />
        </div>
        {isAdmin && (
          <div className="max-w-140">
            <Command text="carillon key list" />
          </div>
        )}
      </div>
    </Screen>
  );
}

const storeWords: Readonly<Record<string, string>> = {
  memory: 'memory',
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  postgresql: 'PostgreSQL',
  redis: 'Redis',
};

const roleWords: Readonly<Record<string, string>> = {
  viewer: 'may look',
  worker: 'may look and take up runs',
  operator: 'may change schedules and runs',
  admin: 'may change everything',
};
