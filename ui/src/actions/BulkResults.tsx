/** The result of each schedule of a bulk change. */
import type { BulkAnswer } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Go } from '../parts/Go.tsx';
import { countText, plural } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';

export type Result = Pick<BulkAnswer['items'][number], 'id' | 'ok' | 'message'>;

interface BulkResultsProps {
  /** What became of the schedules, such as `paused`. */
  readonly past: string;
  /** Whether the changed schedules are no longer there. */
  readonly areGone?: boolean;
  readonly results: readonly Result[];
  readonly onClose: () => void;
}

const mostResults = 200;

/** The results: first the schedules that could not be changed, with the reason. */
export function BulkResults({ past, areGone = false, results, onClose }: BulkResultsProps) {
  const links = useLinks();
  const failed = results.filter(({ ok }) => !ok);
  const shown = [...failed, ...results.filter(({ ok }) => ok)].slice(0, mostResults);
  const good = results.length - failed.length;
  return (
    <Dialog
      title={
        failed.length === 0
          ? `${past.charAt(0).toUpperCase()}${past.slice(1)} ${plural(results.length, 'schedule')}`
          : `${countText(good)} of ${countText(results.length)} ${past}`
      }
      onClose={onClose}
      foot={
        <button type="button" className="btn primary" data-first="" onClick={onClose}>
          Close
        </button>
      }
    >
      <ul className="grid gap-1" aria-label="Results">
        {shown.map(({ id, ok, message }) => (
          <li key={id} className="flex items-baseline gap-2">
            <Mark look={ok ? 'started' : 'startFailed'} />
            {areGone && ok ? (
              <b className="font-medium">{id}</b>
            ) : (
              <Go className="link" to={links.schedule(id)}>
                {id}
              </Go>
            )}
            <span className={ok ? 't3' : 'text-fail-t'}>{ok ? past : message}</span>
          </li>
        ))}
      </ul>
      {results.length > shown.length && (
        <p className="t3 mt-2">
          and {countText(results.length - shown.length)} more, all {past}
        </p>
      )}
    </Dialog>
  );
}
