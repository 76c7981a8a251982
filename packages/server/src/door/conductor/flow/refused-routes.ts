/**
 * Routes of official clients that this server does not have. They are refused with a sentence that gives the caller the reason
 * and an alternative. `docs/conductor-workflows.md` has the same list; a test compares both.
 */
export interface RefusedRoute {
  /** The path below `/api`; `{x}` is one segment, `**` any rest. */
  readonly path: string;
  readonly why: string;
}

const events = 'event handlers do not run here; let the producer start the workflow';
const tags = 'definitions have no tags here; tags of schedules are served under /api/scheduler';

const storage = 'payloads are kept here, up to 1 MB; there is no external storage';

export const refusedRoutes: readonly RefusedRoute[] = [
  { path: '/tasks/externalstoragelocation', why: storage },
  { path: '/tasks/external-storage-location', why: storage },
  { path: '/workflow/externalstoragelocation', why: storage },
  { path: '/workflow/external-storage-location', why: storage },
  { path: '/event/**', why: events },
  { path: '/metadata/tags/**', why: tags },
  { path: '/metadata/task/{name}/tags', why: tags },
  { path: '/metadata/workflow/{name}/tags', why: tags },
  {
    path: '/metadata/workflow/{name}/rate-limit',
    why: 'workflows have no rate limit here; limit its tasks (rateLimitPerFrequency), or the schedule (overlap policies)',
  },
  {
    path: '/metadata/workflow-importer/**',
    why: 'BPMN is not read here; register the workflow as a definition',
  },
  { path: '/metadata/workflow-task-defs/**', why: 'archives are not read here; register the definitions' },
  { path: '/workflow/execute/{name}', why: 'name the version: /api/workflow/execute/{name}/{version}' },
  { path: '/workflow/start/{name}/{version}', why: 'use POST /api/workflow/{name}?version=' },
  {
    path: '/workflow/{id}/jump/{reference}',
    why: 'a running workflow goes in the order of its definition; use skiptask, or rerun after its end',
  },
  {
    path: '/workflow/{id}/state',
    why: 'use /api/workflow/{id}/variables and /api/tasks/{id}/{reference}/{status}/sync',
  },
  {
    path: '/workflow/{id}/upgrade',
    why: 'a running workflow keeps its definition; end it and restart it with useLatestDefinitions=true',
  },
  {
    path: '/workflow/{id}/messages',
    why: 'workflows have no message queue here; complete a WAIT task instead',
  },
  { path: '/environment/**', why: 'the environment of the server is not told; give values as input' },
  {
    path: '/secrets/**',
    why: 'secrets are part of the hosted product; HTTP actions of schedules read them from the configuration',
  },
  { path: '/secrets-v2/**', why: 'secrets are part of the hosted product' },
  { path: '/schema/**', why: 'schemas are part of the hosted product' },
  { path: '/users/**', why: 'users are part of the hosted product; keys are set in the configuration' },
  { path: '/groups/**', why: 'groups are part of the hosted product; keys have roles' },
  { path: '/roles/**', why: 'roles are part of the hosted product; keys have roles' },
  {
    path: '/applications/**',
    why: 'applications are part of the hosted product; keys are set in the configuration',
  },
  { path: '/auth/**', why: 'permissions are part of the hosted product; keys have roles' },
  { path: '/gateway/**', why: 'the gateway is part of the hosted product' },
  { path: '/human/**', why: 'HUMAN tasks do not run here; use a WAIT task, which a person completes' },
  {
    path: '/integrations/**',
    why: 'integrations are part of the hosted product; use an HTTP task or a worker',
  },
  { path: '/prompts/**', why: 'prompts are part of the hosted product; use a worker' },
  { path: '/registry/**', why: 'the service registry is part of the hosted product; use an HTTP task' },
];

/** The first segments of these paths. */
export const refusedGroups: readonly string[] = [
  ...new Set(refusedRoutes.map(({ path }) => `/${path.split('/')[1] ?? ''}`)),
];
