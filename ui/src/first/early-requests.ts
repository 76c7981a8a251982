/**
 * The first requests of each screen, so that they can be sent before the page's script is loaded. The paths are the ones that the
 * client sends; a test opens every screen and checks that each early answer is used.
 */
import type { Params } from '../route/match.ts';
import type { Search } from '../route/search.ts';

interface Asked {
  /** The paths below the namespace. `$name` stands for a part of the page's path. */
  readonly paths: readonly string[];
  /** Whether a query in the page's address changes the requests. */
  readonly hasFilters?: true;
}

const asked: Readonly<Record<string, Asked>> = {
  '': { paths: ['/schedules:needs', '/schedules:counts'] },
  schedules: { paths: ['/schedules?sort=attention&strip=true&limit=30'], hasFilters: true },
  'schedules/$id': { paths: ['/schedules/$id'] },
  'schedules/$id/edit': { paths: ['/schedules/$id/definition', '/schedules/$id'] },
  runs: { paths: ['/runs?by=start&limit=50'], hasFilters: true },
  'runs/$run': { paths: ['/runs/$run'] },
  hosts: { paths: ['/hosts?limit=100'] },
  audit: { paths: ['/audit?limit=50'], hasFilters: true },
  settings: { paths: ['/settings', '/namespaces'] },
};

/** `screen` is the screen's path below the namespace, as in the table of screens. */
export function earlyPaths(screen: string, params: Params, search: Search): readonly string[] {
  const { paths, hasFilters = false } = asked[screen] ?? { paths: [] };
  const isPlain = Object.keys(search).length === 0;
  const own = hasFilters && !isPlain ? [] : paths;
  return ['/about', ...own].map((path) =>
    path.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
  );
}
