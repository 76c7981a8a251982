/** The clock of locks whose caller passes none. The lock can be used alone, so no composition root provides a clock. */
import { SystemClock } from '../base/clock.ts';

export const systemClock = new SystemClock();
