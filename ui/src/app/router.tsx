/** The addresses of the page. Screens load when they are first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { pagePath } from '../data/address.ts';
import { Schedules } from '../schedules/Schedules.tsx';
import { Lost } from './Lost.tsx';
import { Shell } from './Shell.tsx';
import { parseSearch, stringifySearch } from './search.ts';

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: Lost,
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: `${pagePath}/${encodeURIComponent(lastNamespace())}/`, replace: true });
  },
});

const namespace = createRoute({ getParentRoute: () => root, path: '/$namespace', component: Shell });

const screen = (path: string, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({
    getParentRoute: () => namespace,
    path,
    component: lazyRouteComponent(async () => await styled(load), name as never),
  });

/** The styles that the list does without come beside the first other screen. */
async function styled(load: () => Promise<Record<string, unknown>>): Promise<Record<string, never>> {
  const [module] = await Promise.all([load(), import('../style/later.css')]);
  return module as Record<string, never>;
}

const routes = root.addChildren([
  start,
  namespace.addChildren([
    screen('/', () => import('../overview/Overview.tsx'), 'Overview'),
    createRoute({ getParentRoute: () => namespace, path: '/schedules', component: Schedules }),
    screen('/schedules/new', () => import('../edit/Edit.tsx'), 'Create'),
    screen('/schedules/$id', () => import('../schedule/Schedule.tsx'), 'Schedule'),
    screen('/schedules/$id/edit', () => import('../edit/Edit.tsx'), 'Edit'),
    screen('/runs', () => import('../runs/Runs.tsx'), 'Runs'),
    screen('/runs/$run', () => import('../runs/Run.tsx'), 'Run'),
    screen('/calendar', () => import('../calendar/Calendar.tsx'), 'Calendar'),
    screen('/hosts', () => import('../hosts/Hosts.tsx'), 'Hosts'),
    screen('/clock', () => import('../clock/ClockChanges.tsx'), 'ClockChanges'),
    screen('/audit', () => import('../audit/Audit.tsx'), 'Audit'),
    screen('/playground', () => import('../playground/Playground.tsx'), 'Playground'),
    screen('/settings', () => import('../settings/Settings.tsx'), 'Settings'),
  ]),
]);

export const router = createRouter({
  routeTree: routes,
  basepath: pagePath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: Lost,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const lastName = 'carillon.namespace';

export function lastNamespace(): string {
  try {
    return localStorage.getItem(lastName) ?? 'default';
  } catch {
    return 'default';
  }
}

export function rememberNamespace(name: string): void {
  try {
    localStorage.setItem(lastName, name);
  } catch {
    // Then the default namespace opens first.
  }
}
