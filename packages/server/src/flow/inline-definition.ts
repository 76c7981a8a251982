/** Definitions that come with a schedule instead of being registered. */
import type { Problem } from 'carillon/internal/base';
import type { WorkflowDefinition } from './definition.ts';
import { readAsFarAsPossible, readWorkflowDefinition } from './read-definition.ts';
import { isFields } from './read-fields.ts';

/**
 * The queue of schedules that contain the definition of their workflow. Every process that runs workflows takes every run of
 * this queue, because the names of runs have no meaning on it.
 */
export const inlineQueue = '@flow-inline';

/** Reads a definition in a schedule. As in the original, one without name or tasks is stored; its starts fail. */
export function readInline(value: unknown): {
  readonly definition: WorkflowDefinition | undefined;
  readonly problems: readonly Problem[];
} {
  const { definition, problems } = readAsFarAsPossible(value);
  const isMissing = ({ path, reason }: Problem) =>
    reason === 'REQUIRED' && (path === 'name' || path === 'tasks');
  return { definition, problems: problems.filter((problem) => !isMissing(problem)) };
}

/** The definition that a start runs. A definition without a name gets that of the request. */
export function inlineDefinition(
  value: unknown,
  name: string,
  refusal: (message: string) => Error,
): WorkflowDefinition {
  const { definition, problems } = readWorkflowDefinition(isFields(value) ? { name, ...value } : value);
  if (definition !== undefined) return definition;
  const reasons = problems.map(({ path, message }) => `${path}: ${message}`);
  throw refusal(`workflowDef cannot run: ${reasons.join('; ')}`);
}
