/** One change of the audit: who, what, when, through which door, as a difference by field. */
import type { AuditJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { shortRunId } from '../runs/run-id.ts';
import { plural, sinceText, whenText } from '../time/text.ts';
import {
  actionText,
  actorText,
  aroundOf,
  diffOf,
  doorText,
  fieldText,
  keyText,
  reasonOf,
  shortValue,
  subjectOf,
  targetOf,
} from './change.ts';

interface ChangeRowProps {
  readonly entry: AuditJson;
  readonly zone: string;
  readonly now: number;
  readonly isShort?: boolean;
}

export function ChangeRow({ entry, zone, now, isShort = false }: ChangeRowProps) {
  const links = useLinks();
  const at = Date.parse(entry.at);
  const id = targetOf(entry.target, 'schedule/');
  const host = targetOf(entry.target, 'host/');
  const run = targetOf(entry.target, 'run/');
  const key = targetOf(entry.target, 'apiKey/');
  const view = targetOf(entry.target, 'view/');
  const named = key ?? view ?? targetOf(entry.target, 'namespace/');
  const about = key === undefined ? subjectOf(entry) : keyText(entry);
  const reason = reasonOf(entry);
  const changes = diffOf(entry);
  const most = isShort ? 3 : 12;
  return (
    <li className="border-b border-line px-4 py-2.5 last:border-0">
      <div className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">
          <b className="font-medium">{actorText(entry.actor)}</b> {actionText(entry.action)}{' '}
          {!isShort && id !== undefined && (
            <Go className="link" to={links.schedule(id)}>
              {id}
            </Go>
          )}
          {!isShort && host !== undefined && (
            <Go className="link" to={links.place('hosts')}>
              {host}
            </Go>
          )}
          {!isShort && run !== undefined && (
            <Go className="link" to={links.run(run)}>
              run {shortRunId(run)}
            </Go>
          )}
          {!isShort && id === undefined && host === undefined && run === undefined && (
            <code>{named ?? entry.target}</code>
          )}
          {!isShort && about !== undefined && <span className="t2">, {about}</span>}
        </span>
        <span className="micro whitespace-nowrap" title={whenText(zone, at, now)}>
          {sinceText(at, now)}
        </span>
      </div>
      {reason !== '' && <div className="t2">{reason}</div>}
      {changes.length > 0 && (
        <ul className="mt-1 grid gap-0.5">
          {changes.slice(0, most).map(({ path, before, after }) => (
            <li key={path} className="mono break-all">
              <span className="t3" title={path}>
                {fieldText(path)}
              </span>{' '}
              {before !== undefined && (
                <del className="text-fail-t no-underline opacity-80">{shortValue(before, path)}</del>
              )}
              {before !== undefined && after !== undefined && <span className="t3"> → </span>}
              {after !== undefined && (
                <ins className="text-ran-t no-underline">{shortValue(after, path)}</ins>
              )}
            </li>
          ))}
          {changes.length > most && <li className="t3">and {plural(changes.length - most, 'more field')}</li>}
        </ul>
      )}
      {!isShort && (
        <div className="micro mt-0.5">
          {whenText(zone, at, now)} · through {doorText(entry.door)}
          {id !== undefined && entry.action !== 'delete' && (
            <>
              {' · '}
              <Go className="link" to={links.schedule(id, aroundOf(at))}>
                show on the timeline
              </Go>
            </>
          )}
        </div>
      )}
    </li>
  );
}
