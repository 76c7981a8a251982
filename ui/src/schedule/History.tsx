import { useQuery } from '@tanstack/react-query';
import { useLinks } from '../app/links.ts';
import { ChangeRow } from '../audit/ChangeRow.tsx';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { auditOfQuery } from './queries.ts';

interface HistoryProps {
  readonly id: string;
  readonly zone: string;
  readonly now: number;
}

/** The changes of the schedule, each with its author. */
export function History({ id, zone, now }: HistoryProps) {
  const scope = useScope();
  const links = useLinks();
  const items = useQuery(auditOfQuery(scope, id)).data?.items ?? [];
  return (
    <section className="card" aria-labelledby="history">
      <header>
        <h2 id="history">History</h2>
        <span className="flex-1" />
        <Go className="text-link" to={`${links.place('audit')}?schedule=${encodeURIComponent(id)}`}>
          All
        </Go>
      </header>
      <ul>
        {items.map((entry) => (
          <ChangeRow key={`${entry.at} ${entry.action}`} entry={entry} zone={zone} now={now} isShort />
        ))}
      </ul>
    </section>
  );
}
