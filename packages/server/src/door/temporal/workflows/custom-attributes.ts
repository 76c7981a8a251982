/**
 * Search fields of a workflow beyond those of every run: the attributes that its client sent, and the length of its
 * history.
 */
import type { AttributeTypes, CustomAttributes } from 'carillon/internal/service';
import { comparableAttributes } from '../search-attributes/payload.ts';
import { startOf } from './start.ts';
import { historyLength, stateTransitions } from './workflow.ts';

export function customAttributes(types: AttributeTypes): CustomAttributes {
  return {
    needsDefinition: (name) => types.has(name),
    of: (workflow, definition) => ({
      ...comparableAttributes(startOf(definition)?.searchAttributes, types),
      HistoryLength: historyLength(workflow),
      StateTransitionCount: stateTransitions(workflow),
    }),
  };
}
