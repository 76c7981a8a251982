/** Every setting of the schedule in force, its meaning for this schedule, and whether it was given. */
import { useQuery } from '@tanstack/react-query';
import type { ScheduleJson } from 'carillon/client';
import { Suspense } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { Seg } from '../parts/Seg.tsx';
import { Table } from '../parts/Table.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import { useMinute } from '../time/now.ts';
import { sinceText } from '../time/text.ts';
import type { Policy } from './policies.ts';
import { policiesOf } from './policies.ts';
import { definitionQuery, versionQuery } from './queries.ts';

/** The definition as code, loaded on demand because most people read the words. */
const Code = lazyPart(async () => (await import('./Code.tsx')).Code);

const shapes = [
  { value: 'words', text: 'Words' },
  { value: 'json', text: 'JSON' },
  { value: 'yaml', text: 'YAML' },
  { value: 'ts', text: 'TypeScript' },
  { value: 'cli', text: 'CLI' },
] as const;

export function Policies({ schedule }: { readonly schedule: ScheduleJson }) {
  const scope = useScope();
  const { as = 'words' } = useSearch();
  const now = useMinute();
  const definition = useQuery(definitionQuery(scope, schedule.id)).data;
  const origins = useQuery(versionQuery(scope, schedule.id, schedule.createdAt)).data?.origins;
  const shape = shapes.find(({ value }) => value === as)?.value ?? 'words';
  const pick = (next: string) => changeSearch({ as: next === 'words' ? undefined : next }, { replace: true });
  return (
    <section className="card" aria-labelledby="policies">
      <header className="flex-wrap">
        <h2 id="policies">What should happen</h2>
        <span className="flex-1" />
        <Seg label="Shown as" options={shapes} value={shape} onChange={pick} />
      </header>
      {shape === 'words' ? (
        <Table
          name="Policies"
          head={['Policy', 'In effect', { text: 'Meaning here', className: 'medium' }, 'From']}
        >
          {policiesOf(
            schedule,
            definition as Readonly<Record<string, unknown>> | undefined,
            now,
            origins,
          ).map((policy) => (
            <tr key={policy.name}>
              <td className="t2 whitespace-nowrap">{policy.name}</td>
              <td>
                <code>{policy.value}</code>
                <span className={`brief ${policy.isDoubtful ? 'text-policy-t' : 't2'}`}>
                  {policy.meaning}
                </span>
              </td>
              <td className={`medium ${policy.isDoubtful ? 'text-policy-t' : 't2'}`}>{policy.meaning}</td>
              <td>
                <From id={schedule.id} from={policy.from} />
              </td>
            </tr>
          ))}
        </Table>
      ) : (
        <div className="body">
          <Suspense>
            {definition !== undefined && <Code name={shape} id={schedule.id} definition={definition} />}
          </Suspense>
        </div>
      )}
    </section>
  );
}

/** The origin of a setting. A version links to the changes of the schedule. */
function From({ id, from }: { readonly id: string; readonly from: Policy['from'] }) {
  const links = useLinks();
  const now = useMinute();
  if (typeof from === 'string') return <span className="tag">{from}</span>;
  const { number, by, at } = from;
  const who = by === '' ? '' : ` by ${by}`;
  return (
    <Go
      className="tag"
      to={`${links.place('audit')}?schedule=${encodeURIComponent(id)}`}
      title={`Changed${who} ${sinceText(Date.parse(at), now)}`}
    >
      v{number}
    </Go>
  );
}
