import { Fragment, type ReactNode, useSyncExternalStore } from 'react';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { choiceText, chooseTimes, timeChoices, useTimeChoice } from '../time/choice.ts';
import { switchTheme, useTheme } from './theme.ts';

export interface Crumb {
  readonly text: string;
  readonly to?: string;
  readonly isMono?: boolean;
}

let crumbs: readonly Crumb[] = [];
const watchers = new Set<() => void>();

/** Sets the crumbs and the title of the present screen. */
export function setCrumbs(next: readonly Crumb[]): void {
  crumbs = next;
  document.title = `${next
    .map(({ text }) => text)
    .reverse()
    .join(' · ')} · Carillon`;
  for (const watcher of watchers) watcher();
}

function useCrumbs(): readonly Crumb[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => crumbs,
  );
}

export function TopBar({ onFind, extra }: { readonly onFind: () => void; readonly extra?: ReactNode }) {
  const shown = useCrumbs();
  const theme = useTheme();
  const times = useTimeChoice();
  return (
    <header className="topbar">
      <nav className="crumbs" aria-label="Where you are">
        {shown.map(({ text, to, isMono }, place) => (
          <Fragment key={text}>
            {place > 0 && <Icon name="right" />}
            {to === undefined ? (
              <b className={isMono ? 'mono' : ''} aria-current="page">
                {text}
              </b>
            ) : (
              <Go to={to}>{text}</Go>
            )}
          </Fragment>
        ))}
      </nav>
      {extra}
      <button type="button" className="find" onClick={onFind} aria-keyshortcuts="Control+K Meta+K">
        <Icon name="search" />
        <span className="flex-1">Find or do…</span>
        <kbd aria-hidden="true">{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Menu
        label={`Times: ${choiceText(times)}`}
        className="btn quiet wide-only"
        face={
          <>
            <Icon name="clock" /> {choiceText(times)}
          </>
        }
      >
        {timeChoices.map(([choice, text]) => (
          <MenuItem key={choice} isChosen={choice === times} onPick={() => chooseTimes(choice)}>
            {text}
          </MenuItem>
        ))}
      </Menu>
      <button
        type="button"
        className="btn quiet icon"
        aria-label={theme === 'dark' ? 'Switch to light' : 'Switch to dark'}
        onClick={switchTheme}
      >
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
      </button>
    </header>
  );
}
