/** Limits on the depth and the number of keys of free-form data, checked before any other code reads the data. */
import { kindNames } from '../action/kind.ts';
import { isDeeper } from '../base/depth.ts';
import type { Problem } from '../base/error.ts';
import { hasMoreKeys } from '../base/key-count.ts';
import { circularProblem, lossyProblem } from '../base/plain-json.ts';
import {
  bytesOf,
  deepestPayload,
  largestAttributes,
  mostAttributes,
  mostKeys,
  mostKeysOfObject,
} from './limits.ts';

/** The fields with free-form data. */
const payloads = ['input', 'memo', 'attributes', 'spec', ...kindNames];

export function payloadProblems(given: unknown): readonly Problem[] {
  if (typeof given !== 'object' || given === null) return [];
  const fields = given as Readonly<Record<string, unknown>>;
  return payloads.flatMap((path) => problemOf(path, fields[path]) ?? []);
}

function problemOf(path: string, value: unknown): Problem | undefined {
  if (isDeeper(value, deepestPayload)) {
    const circular = circularProblem(path, value);
    if (circular !== undefined) return circular;
    return {
      path,
      reason: 'TOO_DEEP',
      message: `nests deeper than ${deepestPayload} levels`,
      fix: 'flatten it, or pass it as one JSON text',
    };
  }
  if (hasMoreKeys(value, { ofObject: mostKeysOfObject, together: mostKeys })) {
    return {
      path,
      reason: 'TOO_MANY_KEYS',
      message: `an object has more than ${mostKeysOfObject} keys, or all of them more than ${mostKeys}`,
      fix: 'write lists instead of objects, or pass it as one JSON text',
    };
  }
  if (path === 'input' || path === 'memo') {
    const lossy = lossyProblem(path, value);
    if (lossy !== undefined) return lossy;
  }
  return path === 'attributes' ? attributesProblem(value) : undefined;
}

/** Attributes are copied into an index with every change; data that is never searched belongs in the memo. */
function attributesProblem(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const count = Object.keys(value).length;
  const fix = 'put data that is never searched into memo';
  if (count > mostAttributes) {
    const message = `there are ${count} attributes, ${mostAttributes} are allowed`;
    return { path: 'attributes', reason: 'TOO_MANY_ATTRIBUTES', message, fix };
  }
  const bytes = bytesOf(JSON.stringify(value));
  if (bytes <= largestAttributes) return undefined;
  const message = `attributes take ${bytes} bytes; at most ${largestAttributes} are allowed`;
  return { path: 'attributes', reason: 'TOO_LARGE', message, fix };
}
