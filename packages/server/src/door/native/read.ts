/** From what was sent to what an operation takes; everything wrong is said at once, each with its place. */

import { ServiceError, shapeProblem } from 'carillon/internal/base';
import type { z } from 'zod';
import type { Reader } from './operation.ts';

export function reader<S extends z.ZodType>(schema: S): Reader<z.output<S>> {
  return {
    schema,
    read: (sent) => {
      const parsed = schema.safeParse(sent);
      if (parsed.success) return parsed.data;
      throw ServiceError.invalid(parsed.error.issues.map((issue) => shapeProblem(issue, schema)));
    },
  };
}
