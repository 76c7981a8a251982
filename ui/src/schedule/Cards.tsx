/** The cards below the timeline of a schedule: settings, runs, counts and changes. */
import type { ScheduleJson } from 'carillon/client';
import { isOfConductor } from '../runs/conductor-state.ts';
import { History } from './History.tsx';
import { Policies } from './Policies.tsx';
import { RunsOf } from './RunsOf.tsx';
import { Where } from './Where.tsx';

interface CardsProps {
  readonly schedule: ScheduleJson;
  readonly zone: string;
  readonly now: number;
}

export function Cards({ schedule, zone, now }: CardsProps) {
  const { id, createdAt } = schedule;
  return (
    <div className="cols-side">
      <div className="stack">
        <Policies schedule={schedule} />
        <RunsOf id={id} zone={zone} now={now} isOfConductor={isOfConductor(schedule)} />
      </div>
      <div className="stack">
        <Where id={id} createdAt={Date.parse(createdAt)} now={now} />
        <History id={id} zone={zone} now={now} />
      </div>
    </div>
  );
}
