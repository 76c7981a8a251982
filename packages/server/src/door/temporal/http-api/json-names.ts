/** Names of fields and values of enumerations in proto3 JSON. */
import type { EnumType, MessageField, MessageType } from '../protocol.ts';

/** `schedule_id` and `scheduleId` become `scheduleId`. */
export function jsonName(name: string): string {
  return name.replace(/_+(.?)/g, (_, next: string) => next.toUpperCase());
}

const fieldTables = new WeakMap<MessageType, ReadonlyMap<string, MessageField>>();

/** The field of a name as JSON or as the definition spells it. */
export function fieldNamed(type: MessageType, name: string): MessageField | undefined {
  let table = fieldTables.get(type);
  if (table === undefined) {
    table = new Map(type.fieldsArray.map((field) => [jsonName(field.name), field.resolve()]));
    fieldTables.set(type, table);
  }
  return table.get(name.includes('_') ? jsonName(name) : name);
}

const enumTables = new WeakMap<EnumType, ReadonlyMap<string, number>>();

/**
 * The number of a value by its name: `SCHEDULE_OVERLAP_POLICY_SKIP`, or `Skip`, the spelling of Temporal's older JSON, which
 * its HTTP API still reads.
 */
export function enumNumber(type: EnumType, name: string): number | undefined {
  let table = enumTables.get(type);
  if (table === undefined) {
    const prefix = `${type.name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}_`;
    const entries = Object.entries(type.values);
    table = new Map([
      ...entries.map(([full, number]) => [shortName(full, prefix), number] as const),
      ...entries,
    ]);
    enumTables.set(type, table);
  }
  return table.get(name);
}

function shortName(name: string, prefix: string): string {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return rest.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

export function isMessage(type: MessageField['resolvedType']): type is MessageType {
  return type !== null && 'fieldsArray' in type;
}
