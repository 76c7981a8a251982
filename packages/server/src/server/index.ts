/** `@carillon/server`: serves a Carillon over HTTP and gRPC. */

export type { Role } from '../door/access.ts';
export type { HttpAnswer, HttpDoor, HttpErrors, RefusedRequest } from '../door/http-door.ts';
export type { FlowArchetype, FlowOptions, Flows } from '../flow/flow-archetype.ts';
export { flow } from '../flow/flow-archetype.ts';
export type { Tls } from './app.ts';
export type { DoorOptions } from './assembly.ts';
export type { Config } from './config.ts';
export { readConfig } from './config.ts';
export type { ApiKey } from './keys.ts';
export { hashKey, newKey } from './keys.ts';
export { Tally, type TallyOptions } from './metrics/tally.ts';
export type { MountedCaller, MountedCarillon, MountedRequest, MountOptions } from './mount.ts';
export { mountCarillon } from './mount.ts';
export type { RateLimit } from './rate-limit.ts';
export { runConfig } from './run-config.ts';
export type { Server, ServerOptions } from './server.ts';
export { startServer } from './server.ts';
