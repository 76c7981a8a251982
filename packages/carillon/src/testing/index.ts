/**
 * `carillon/testing`: the real engine in a simulation. It works under any test runner, because nothing global is
 * patched: time, randomness and the store are passed in.
 */
export type { KindName, OutsideKind } from '../action/kind.ts';
export { SeededRandom } from '../base/random.ts';
export type { Service } from '../base/service.ts';
export type { CarillonWorldOptions } from './carillon-world.ts';
export { CarillonWorld } from './carillon-world.ts';
export type { ClusterOptions, NodeSetting } from './cluster.ts';
export { Cluster } from './cluster.ts';
export type { ExpectedFailures, WorldFailure } from './failures.ts';
export { UnexpectedFailures } from './failures.ts';
export type { Faults } from './faulty-store.ts';
export { FaultyStore, noFaults } from './faulty-store.ts';
export type { RecordedCall, StubAnswer, StubAnswers } from './stub-actions.ts';
export { SkewedClock, VirtualClock } from './virtual-clock.ts';
export type { WorldOptions } from './world.ts';
export { World } from './world.ts';
