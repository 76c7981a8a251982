/** Every setting and limit in force, each with its source. */

import type { ServerSettings } from 'carillon/client';
import { Table } from '../parts/Table.tsx';
import { settingText } from './setting-text.ts';

const groups: readonly (readonly [title: string, isOf: (name: string) => boolean])[] = [
  ['What is kept', (name) => name.startsWith('retention.')],
  ['Limits', (name) => !name.includes('.')],
  ['Settings of the server', () => true],
];

const sources: Readonly<Record<string, string>> = {
  default: 'default',
  file: 'configuration file',
  environment: 'environment',
  flag: 'flag',
  fixed: 'fixed',
};

export function InForce({ items }: { readonly items: ServerSettings['items'] }) {
  const left = [...items];
  return groups.map(([title, isOf]) => {
    const own = left.filter(({ name, source }) => isOf(name) && (title !== 'Limits' || source === 'fixed'));
    for (const item of own) left.splice(left.indexOf(item), 1);
    if (own.length === 0) return null;
    return (
      <section key={title} className="card" aria-label={title}>
        <header>
          <h2>{title}</h2>
          <span className="t3">in force, and where each value comes from</span>
        </header>
        <Table name={`${title} in force`} head={['Setting', 'Value', 'From']} className="settings">
          {own.map(({ name, value, meaning, source, setBy }) => (
            <tr key={name}>
              <td>
                {meaning === '' ? (
                  <code>{name}</code>
                ) : (
                  <>
                    {meaning.slice(0, 1).toUpperCase()}
                    {meaning.slice(1)} <code className="t3 ml-1">{name}</code>
                  </>
                )}
              </td>
              <td className="mono whitespace-nowrap">
                {value === null ? <span className="t3">none</span> : settingText(value, meaning)}
              </td>
              <td>
                <span className="tag">{sources[source] ?? source}</span>
                {setBy !== '' && <code className="t3 ml-1">{setBy}</code>}
              </td>
            </tr>
          ))}
        </Table>
      </section>
    );
  });
}
