/** The nodes of the cluster: clock, zone tables, version, lag. */

import type { NodeInfo } from 'carillon/client';
import { useNow } from '../time/now.ts';
import { lengthText, sinceText } from '../time/text.ts';
import { differencesOf } from './differences.ts';
import { Note } from './Note.tsx';
import { Table } from './Table.tsx';

interface NodesProps {
  readonly nodes: readonly NodeInfo[];
}

export function Nodes({ nodes }: NodesProps) {
  const now = useNow();
  const differences = differencesOf(nodes);
  return (
    <section className="card" aria-labelledby="nodes">
      <header>
        <h2 id="nodes">Nodes</h2>
      </header>
      <Table name="Nodes" head={['Node', 'Version', 'Zone tables', 'Clock', 'Lag', 'Runs', 'Seen']}>
        {nodes.map((node) => (
          <tr key={node.id}>
            <td className="whitespace-nowrap">
              <span className={`live ${node.state === 'alive' ? '' : 'off'}`}>
                <i />
                {node.name}
              </span>
            </td>
            <td>{node.version}</td>
            <td>{node.timeZoneVersion}</td>
            <td className="whitespace-nowrap">
              {Math.abs(node.skewMs) < 1
                ? 'even'
                : `${node.skewMs > 0 ? '+' : '−'}${lengthText(node.skewMs)}`}
            </td>
            <td className="whitespace-nowrap">{node.lagMs < 1000 ? 'none' : lengthText(node.lagMs)}</td>
            <td>{node.activeRuns}</td>
            <td className="t2 whitespace-nowrap">
              {node.state === 'alive' ? 'alive' : sinceText(Date.parse(node.seenAt), now)}
            </td>
          </tr>
        ))}
      </Table>
      {differences.length > 0 && (
        <div className="border-t border-line p-4">
          <Note family="policy">{differences.join(' ')}</Note>
        </div>
      )}
    </section>
  );
}
