/** The clock of locks whose caller brings none: the lock is a utility of its own, without a composition root above it. */
import { SystemClock } from '../base/clock.ts';

export const systemClock = new SystemClock();
