/** Which fields of recorded workflows, tasks and definitions are compared. */
import { readFileSync } from 'node:fs';

const { essential } = JSON.parse(readFileSync(new URL('workflow-rest.json', import.meta.url), 'utf8')) as {
  readonly essential: Readonly<Record<'workflow' | 'task' | 'definition', readonly string[]>>;
};

/** Workflows, tasks and definitions carry many derived fields: only the essential ones are compared, at any depth. */
export function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  const keys = keysOf(value);
  const entries = Object.entries(value).filter(([key]) => keys === undefined || keys.includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, pruned(item)]));
}

function keysOf(value: object): readonly string[] | undefined {
  if ('taskId' in value && 'referenceTaskName' in value) return essential.task;
  if ('workflowId' in value && 'tasks' in value) return essential.workflow;
  return 'schemaVersion' in value && 'tasks' in value ? essential.definition : undefined;
}
