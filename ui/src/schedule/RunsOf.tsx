import { useQuery } from '@tanstack/react-query';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { RunTable } from '../runs/RunTable.tsx';
import { runsOfQuery } from './queries.ts';

interface RunsOfProps {
  readonly id: string;
  readonly zone: string;
  readonly now: number;
  /** Whether to show the state of each run at the Conductor door. */
  readonly isOfConductor: boolean;
}

export function RunsOf({ id, zone, now, isOfConductor }: RunsOfProps) {
  const scope = useScope();
  const links = useLinks();
  const items = useQuery(runsOfQuery(scope, id)).data?.items ?? [];
  return (
    <section className="card" aria-labelledby="runs">
      <header>
        <h2 id="runs">Runs</h2>
        <span className="t3">newest first</span>
        <span className="flex-1" />
        <Go className="text-link" to={`${links.place('runs')}?schedule=${encodeURIComponent(id)}`}>
          All
        </Go>
      </header>
      {items.length === 0 ? (
        <p className="body t3">No run yet.</p>
      ) : (
        <RunTable runs={items} now={now} zoneOf={() => zone} isOfOne isOfConductor={isOfConductor} />
      )}
    </section>
  );
}
