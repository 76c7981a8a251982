/** One change of the audit: who, what, when, through which door, as a difference by field. */
import type { AuditJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { sinceText, whenText } from '../time/text.ts';
import { actionText, diffOf, shortValue } from './change.ts';

interface ChangeRowProps {
  readonly entry: AuditJson;
  readonly zone: string;
  readonly now: number;
  readonly isShort?: boolean;
}

export function ChangeRow({ entry, zone, now, isShort = false }: ChangeRowProps) {
  const links = useLinks();
  const at = Date.parse(entry.at);
  const id = entry.target.startsWith('schedule/') ? entry.target.slice('schedule/'.length) : undefined;
  const changes = diffOf(entry);
  return (
    <li className="border-b border-line px-4 py-2.5 last:border-0">
      <div className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">
          <b className="font-medium">{entry.actor}</b> {actionText(entry.action)}{' '}
          {!isShort && id !== undefined && (
            <Go className="link" to={links.schedule(id, { at: new Date(at).toISOString() })}>
              {id}
            </Go>
          )}
          {!isShort && id === undefined && <code>{entry.target}</code>}
        </span>
        <span className="micro whitespace-nowrap" title={whenText(zone, at, now)}>
          {sinceText(at, now)}
        </span>
      </div>
      {entry.note !== '' && <div className="t2">“{entry.note}”</div>}
      {changes.length > 0 && (
        <ul className="mt-1 grid gap-0.5">
          {changes.slice(0, isShort ? 3 : 12).map(({ path, before, after }) => (
            <li key={path} className="mono break-all">
              <span className="t3">{path}</span>{' '}
              {before !== undefined && (
                <del className="text-fail-t no-underline opacity-80">{shortValue(before, path)}</del>
              )}
              {before !== undefined && after !== undefined && <span className="t3"> → </span>}
              {after !== undefined && (
                <ins className="text-ran-t no-underline">{shortValue(after, path)}</ins>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isShort && (
        <div className="micro mt-0.5">
          {whenText(zone, at, now)} · through {entry.door === '' ? 'the program itself' : entry.door}
        </div>
      )}
    </li>
  );
}
