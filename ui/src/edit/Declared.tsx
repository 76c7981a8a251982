/**
 * A note for a schedule that code or a manifest declares: the next deploy may undo an edit here, and how to keep it.
 */
import type { ScheduleJson } from 'carillon/client';
import type { CodeName } from '../schedule/code.ts';
import { Deploy } from '../schedule/Deploy.tsx';
import { serverNow } from '../time/now.ts';

interface DeclaredProps {
  readonly schedule: ScheduleJson;
  readonly onView: (view: CodeName) => void;
}

export function Declared({ schedule, onView }: DeclaredProps) {
  const isCode = schedule.declaredBy === 'periodic';
  return (
    <div className="grid gap-1">
      <Deploy schedule={schedule} now={serverNow()} />
      <p className="help">
        What you change here stays until its next deploy; a pause is kept. To keep a change longer, make it
        there too:{' '}
        <button type="button" className="link" onClick={() => onView(isCode ? 'ts' : 'yaml')}>
          copy it as {isCode ? 'TypeScript' : 'YAML'}
        </button>
        .
      </p>
    </div>
  );
}
