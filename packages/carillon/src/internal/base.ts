/** Only for `@carillon/server` of the same version; may change without notice. */
export { assert, unreachable } from '../base/assert.ts';
export type { Clock } from '../base/clock.ts';
export { SystemClock, stopwatch } from '../base/clock.ts';
export { isDeeperJson } from '../base/depth.ts';
export { formatDuration, parseDuration } from '../base/duration.ts';
export type { ErrorCode, Problem } from '../base/error.ts';
export { isServiceError, ServiceError } from '../base/error.ts';
export { reporting, shapeProblem } from '../base/fields.ts';
export { given } from '../base/given.ts';
export { Loop } from '../base/loop.ts';
export { didYouMean } from '../base/near-names.ts';
export { pause } from '../base/pause.ts';
export { fractionOf } from '../base/random.ts';
export type { Instant } from '../base/time.ts';
export { addTime, day, duration, formatInstant, instant, parseInstant, second } from '../base/time.ts';
export { uniqueIds } from '../base/unique-id.ts';
export { version } from '../base/version.ts';
export { Wakeup } from '../base/wakeup.ts';
