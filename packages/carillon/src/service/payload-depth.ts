/** How deep what people hand in to be kept may nest; asked before anything else looks at it. */
import { kindNames } from '../action/kind.ts';
import { isDeeper } from '../base/depth.ts';
import type { Problem } from '../base/error.ts';
import { deepestPayload } from './limits.ts';

/** The fields that are kept as they are. */
const payloads = ['input', 'memo', 'attributes', 'spec', ...kindNames];

export function depthProblems(given: unknown): readonly Problem[] {
  if (typeof given !== 'object' || given === null) return [];
  const fields = given as Readonly<Record<string, unknown>>;
  return payloads
    .filter((path) => isDeeper(fields[path], deepestPayload))
    .map((path) => ({
      path,
      reason: 'TOO_DEEP',
      message: `nests deeper than ${deepestPayload} levels`,
      fix: 'flatten it, or hand it over as one text of JSON',
    }));
}
