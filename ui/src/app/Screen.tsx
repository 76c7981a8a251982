/** The frame of one screen: its crumbs, title and actions. */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useKeptFocus } from '../parts/kept-focus.ts';
import type { Crumb } from './TopBar.tsx';
import { setCrumbs } from './TopBar.tsx';

interface ScreenProps {
  readonly crumbs: readonly Crumb[];
  readonly title: ReactNode;
  readonly sub?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}

export function Screen({ crumbs, title, sub, acts, children }: ScreenProps) {
  const names = JSON.stringify(crumbs);
  const kept = useKeptFocus<HTMLElement>();
  useEffect(() => setCrumbs(JSON.parse(names) as readonly Crumb[]), [names]);
  return (
    <main className="page" id="main" {...kept}>
      <div className="head">
        <div className="min-w-0">
          {typeof title === 'string' ? <h1>{title}</h1> : title}
          {sub !== undefined && <div className="sub">{sub}</div>}
        </div>
        {acts !== undefined && <div className="acts">{acts}</div>}
      </div>
      {children}
    </main>
  );
}
