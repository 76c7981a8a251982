/** What should happen: every setting in force, what it means here, and whether it was given. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ScheduleJson } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Seg } from '../parts/Seg.tsx';
import { Table } from '../parts/Table.tsx';
import { type CodeName, codeOf } from './code.ts';
import { policiesOf } from './policies.ts';
import { definitionQuery } from './queries.ts';

const shapes = [
  { value: 'words', text: 'Words' },
  { value: 'json', text: 'JSON' },
  { value: 'yaml', text: 'YAML' },
  { value: 'ts', text: 'TypeScript' },
  { value: 'cli', text: 'CLI' },
] as const;

export function Policies({ schedule }: { readonly schedule: ScheduleJson }) {
  const scope = useScope();
  const navigate = useNavigate();
  const { as = 'words' } = useSearch({ strict: false }) as { readonly as?: string };
  const definition = useQuery(definitionQuery(scope, schedule.id)).data;
  const shape = shapes.find(({ value }) => value === as)?.value ?? 'words';
  const pick = (next: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, as: next === 'words' ? undefined : next }),
      replace: true,
    } as never);
  return (
    <section className="card" aria-labelledby="policies">
      <header className="flex-wrap">
        <h2 id="policies">What should happen</h2>
        <span className="flex-1" />
        <Seg label="Shown as" options={shapes} value={shape} onChange={pick} />
      </header>
      {shape === 'words' ? (
        <Table head={['Policy', 'In effect', 'Meaning here', 'From']}>
          {policiesOf(schedule, definition as Readonly<Record<string, unknown>> | undefined).map((policy) => (
            <tr key={policy.name}>
              <td className="t2 whitespace-nowrap">{policy.name}</td>
              <td>
                <code>{policy.value}</code>
              </td>
              <td className={policy.isDoubtful ? 'text-policy-t' : 't2'}>{policy.meaning}</td>
              <td>
                <span className="tag">{policy.from}</span>
              </td>
            </tr>
          ))}
        </Table>
      ) : (
        <div className="body">
          {definition !== undefined && <Code name={shape} id={schedule.id} definition={definition} />}
        </div>
      )}
    </section>
  );
}

function Code({ name, id, definition }: { name: CodeName; id: string; definition: object }) {
  const text = codeOf(name, id, definition as Readonly<Record<string, unknown>>);
  if (name === 'cli') {
    return (
      <div className="grid gap-2">
        {text.split('\n').map((command) => (
          <Command key={command} text={command} />
        ))}
      </div>
    );
  }
  return (
    <div className="relative">
      <pre className="overflow-auto" tabIndex={0}>
        {text}
      </pre>
      <span className="absolute top-0 right-0">
        <CopyButton text={text} label="Copy" />
      </span>
    </div>
  );
}
