/** From what was sent to what an operation takes; everything wrong is said at once, each with its place. */

import type { Problem } from 'carillon/internal/base';
import { ServiceError, shapeWords } from 'carillon/internal/base';
import type { z } from 'zod';
import type { Reader } from './operation.ts';

export function reader<S extends z.ZodType>(schema: S): Reader<z.output<S>> {
  return {
    schema,
    read: (sent) => {
      const parsed = schema.safeParse(sent);
      if (parsed.success) return parsed.data;
      throw ServiceError.invalid(parsed.error.issues.map(problemOf));
    },
  };
}

function problemOf(issue: z.core.$ZodIssue): Problem {
  const path = issue.path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return {
      path: path === '' ? key : `${path}.${key}`,
      reason: 'UNKNOWN_FIELD',
      message: `unknown field ${issue.keys.map((each) => `'${each}'`).join(', ')}`,
      fix: 'remove it, or check its spelling',
    };
  }
  // `custom` is the checker's word for a rule of ours.
  const reason = issue.code === 'custom' ? 'INVALID' : issue.code.toUpperCase();
  return { path, reason, message: shapeWords(issue) };
}
