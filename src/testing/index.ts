/**
 * `carillon/testing`: the real engine in a simulated world. Works under any test runner, because nothing global is
 * patched: time, randomness and the store are handed in.
 */
export { SeededRandom } from '../base/random.ts';
export type { Faults } from './faulty-store.ts';
export { FaultyStore, noFaults } from './faulty-store.ts';
export { SkewedClock, VirtualClock } from './virtual-clock.ts';
export type { NodeSetting, WorldOptions } from './world.ts';
export { World } from './world.ts';
