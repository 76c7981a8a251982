/** The screens by their path. They are loaded when they are first shown, or when a link to them is near the pointer. */
import type { ComponentType } from 'react';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Params } from '../route/match.ts';
import { paramsOf } from '../route/match.ts';
import { onNear } from '../route/near.ts';
import { styled } from '../style/styled.ts';

interface Screen {
  readonly path: string;
  readonly Body: ComponentType;
  readonly preload: () => Promise<void>;
}

function plainScreen(path: string, load: () => Promise<ComponentType>): Screen {
  const Body = lazyPart(load);
  return { path: `/$namespace/${path}`, Body, preload: Body.preload };
}

function screen(path: string, load: () => Promise<ComponentType>): Screen {
  return plainScreen(path, async () => await styled(load));
}

/** When two patterns fit, the first one counts. The build reads the file of each screen (`scripts/page-shell.mjs`). */
const screens: readonly Screen[] = [
  screen('', async () => (await import('../overview/Overview.tsx')).Overview),
  plainScreen('schedules', async () => (await import('../schedules/Schedules.tsx')).Schedules),
  screen('schedules/new', async () => (await import('../edit/Edit.tsx')).Create),
  screen('schedules/$id', async () => (await import('../schedule/Schedule.tsx')).Schedule),
  screen('schedules/$id/edit', async () => (await import('../edit/Edit.tsx')).Edit),
  screen('runs', async () => (await import('../runs/Runs.tsx')).Runs),
  screen('runs/$run', async () => (await import('../runs/Run.tsx')).Run),
  screen('calendar', async () => (await import('../calendar/Calendar.tsx')).Calendar),
  screen('hosts', async () => (await import('../hosts/Hosts.tsx')).Hosts),
  screen('clock', async () => (await import('../clock/ClockChanges.tsx')).ClockChanges),
  screen('audit', async () => (await import('../audit/Audit.tsx')).Audit),
  screen('playground', async () => (await import('../playground/Playground.tsx')).Playground),
  screen('settings', async () => (await import('../settings/Settings.tsx')).Settings),
];

export interface Found {
  readonly screen: Screen;
  readonly params: Params;
}

export function screenAt(path: string): Found | undefined {
  for (const screen of screens) {
    const params = paramsOf(screen.path, path);
    if (params !== undefined) return { screen, params };
  }
  return undefined;
}

onNear((to) => {
  void screenAt(to.split('?')[0] ?? to)?.screen.preload();
});
