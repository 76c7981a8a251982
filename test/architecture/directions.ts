/**
 * Who may import whom: the design as a table, by package and folder. Sub-folders of `door` and `store` are folders of
 * their own here. A new folder needs a row; a new import between folders needs an edge.
 *
 * `runtime`: code may be imported. `types`: `import type` only, which leaves nothing behind at runtime.
 * The table is exact: an edge that no file uses is an error too, and so are a runtime edge that only types use and an edge
 * granted both ways.
 * The server names the library by entry points (`scripts/entry-points.mjs`), which stand here as edges.
 */
export interface Row {
  readonly runtime: readonly string[];
  readonly types?: readonly string[];
}

const library: Readonly<Record<string, Row>> = {
  base: { runtime: [] },
  spec: { runtime: ['base'] },
  store: { runtime: ['base'] },
  'store/memory': { runtime: ['base', 'store'] },
  'store/sqlite': { runtime: ['base', 'store'] },
  'store/postgres': { runtime: ['base', 'store'] },
  'store/redis': { runtime: ['base', 'store'] },
  engine: { runtime: ['base', 'store'] },
  runs: { runtime: ['base', 'store'], types: ['engine'] },
  // Slots and their verdicts, for every archetype that has slots.
  ledger: { runtime: ['base'], types: ['spec', 'store'] },
  scheduler: { runtime: ['base', 'spec', 'engine', 'ledger', 'runs'], types: ['store'] },
  // Workflows of producers and consumers: their decisions, and the runner that calls their handlers.
  host: { runtime: ['base', 'spec', 'store', 'engine', 'ledger', 'runs'] },
  // Spans around what others do.
  tracing: { runtime: ['base', 'runs'] },
  action: { runtime: ['base', 'runs', 'tracing'] },
  // One node over archetypes that it is given: it names none.
  runtime: { runtime: ['base', 'spec', 'store', 'engine', 'runs', 'tracing'] },
  service: {
    runtime: ['base', 'spec', 'store', 'engine', 'runs', 'ledger', 'scheduler', 'host', 'action'],
    types: ['runtime'],
  },
  // A Carillon is handed its actions and closes them, so it knows only the shape of an action.
  embed: {
    runtime: ['base', 'runs', 'runtime', 'host', 'service'],
    types: ['spec', 'store', 'scheduler', 'action'],
  },
  testing: {
    runtime: ['base', 'store', 'store/memory', 'engine', 'runs', 'action', 'service', 'embed'],
    types: ['scheduler'],
  },
  lock: { runtime: ['base', 'store', 'embed'] },
  // Counts what events tell, and writes Prometheus' text.
  metrics: { runtime: ['store'], types: ['base', 'scheduler', 'service'] },
  periodic: {
    runtime: ['base', 'spec', 'store', 'scheduler', 'action', 'service', 'embed', 'metrics'],
    types: ['runs', 'lock'],
  },
  // Browser-safe, like everything in base that it imports.
  client: { runtime: ['base'], types: ['runs', 'service'] },
  // What can be said of schedules without running them; pure, for the command line and for pages alike.
  // From runtime only the retention settings.
  doctor: { runtime: ['base', 'spec', 'scheduler', 'action', 'service', 'runtime'] },
  // The program `carillon` with the commands that need no server.
  // From action only the driver of Temporal clusters, for imports.
  cli: { runtime: ['base', 'spec', 'store', 'action', 'client', 'doctor', 'embed', 'main'] },
  // Entry points for the server.
  internal: {
    runtime: [
      'base',
      'spec',
      'store',
      'runs',
      'scheduler',
      'host',
      'tracing',
      'action',
      'service',
      'embed',
      'client',
      'metrics',
      'cli',
    ],
    types: ['runtime'],
  },
  // The choice of a store by its address.
  'open-store': {
    runtime: ['base', 'store/memory', 'store/sqlite', 'store/postgres', 'store/redis'],
    types: ['store'],
  },
  // The composition root.
  main: {
    runtime: ['base', 'open-store', 'runs', 'scheduler', 'action', 'service', 'embed'],
    types: ['engine', 'store', 'ledger', 'runtime'],
  },
};

const server: Readonly<Record<string, Row>> = {
  // What every door needs: access, errors, status codes.
  door: { runtime: ['carillon/internal/base', 'carillon/internal/service'] },
  'door/native': {
    runtime: ['carillon/spec', 'carillon/internal/base', 'carillon/internal/service', 'door'],
  },
  'door/conductor': {
    runtime: ['carillon/spec', 'carillon/internal/base', 'carillon/internal/service', 'door', 'flow'],
  },
  'door/temporal': {
    runtime: [
      'carillon/spec',
      'carillon/internal/base',
      'carillon/internal/spec',
      'carillon/internal/service',
      'door',
    ],
  },
  // Conductor workflows: an archetype that lives outside the library.
  flow: { runtime: ['carillon/engine', 'carillon/internal/archetype', 'carillon/internal/base'] },
  // Static files of the page.
  'door/page': { runtime: ['carillon/internal/base'], types: ['door'] },
  // Puts doors on a Carillon.
  server: {
    runtime: [
      'carillon',
      'carillon/internal/action',
      'carillon/internal/base',
      'carillon/internal/metrics',
      'carillon/internal/service',
      'carillon/internal/tracing',
      'carillon/internal/embed',
      'door',
      'door/native',
      'door/page',
      'door/conductor',
      'door/temporal',
      'flow',
    ],
  },
  cli: {
    runtime: [
      'carillon',
      'carillon/doctor',
      'carillon/host',
      'carillon/spec',
      'carillon/store/memory',
      'carillon/store/sqlite',
      'carillon/testing',
      'carillon/internal/action',
      'carillon/internal/base',
      'carillon/internal/cli',
      'carillon/internal/client',
      'carillon/internal/embed',
      'server',
    ],
    types: ['carillon/client', 'carillon/store'],
  },
};

/** By the folder name of the package. */
export const directions: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  carillon: library,
  server,
};
