/** Turns a request into an operation's input. Reports all problems at once, each with its path. */

import { reporting, ServiceError, shapeProblem } from 'carillon/internal/base';
import type { z } from 'zod';
import type { Reader } from './operation.ts';

export function reader<S extends z.ZodType>(schema: S): Reader<z.output<S>> {
  return {
    schema,
    read: (sent) => {
      const parsed = schema.safeParse(sent, reporting);
      if (parsed.success) return parsed.data;
      throw ServiceError.invalid(parsed.error.issues.map((issue) => shapeProblem(issue, schema)));
    },
  };
}
