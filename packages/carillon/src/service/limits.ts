/** Limits of what the service accepts, so that one caller cannot harm the others. All of them are documented. */

/** The most bytes of JSON for the input of an action plus memo. */
export const largestPayload = 2 * 1024 * 1024;

/**
 * The most bytes of a schedule id in UTF-8. Temporal allows as many: its own prefix and the id together have at most 1000.
 * Ids of started runs add a time to it.
 */
export const longestId = 977;

const utf8 = new TextEncoder();

export function bytesOf(text: string): number {
  return utf8.encode(text).length;
}

/** The most rows of one page. */
export const largestPage = 1000;

/**
 * The approximate most bytes of stored JSON that are read for one page. A page that reaches the limit ends early and
 * has a cursor. Inputs of schedules count even where they are not shown, because definitions are read whole.
 */
export const largestPageBytes = 4 * 1024 * 1024;

/** The most characters of a namespace name. */
export const longestNamespace = 255;

/** The most keys of one object, and of all objects together, in free-form data of callers. */
export const mostKeysOfObject = 10_000;
export const mostKeys = 100_000;

/** The most custom attributes of a schedule, and their most bytes as JSON. */
export const mostAttributes = 100;
export const largestAttributes = 40 * 1024;

/** The most levels of nesting in free-form data of callers. */
export const deepestPayload = 64;

/** These limits by name, for people who ask what is in force. */
export const serviceLimits: readonly {
  readonly name: string;
  readonly value: number;
  readonly meaning: string;
}[] = [
  {
    name: 'largestPayload',
    value: largestPayload,
    meaning: 'bytes of JSON for the input of an action plus memo',
  },
  { name: 'longestId', value: longestId, meaning: 'characters of a schedule id' },
  { name: 'longestNamespace', value: longestNamespace, meaning: 'characters of a namespace' },
  { name: 'largestPage', value: largestPage, meaning: 'rows of one page' },
  { name: 'largestPageBytes', value: largestPageBytes, meaning: 'bytes that are read for one page' },
  { name: 'mostKeysOfObject', value: mostKeysOfObject, meaning: 'keys of one object in data of callers' },
  { name: 'mostKeys', value: mostKeys, meaning: 'keys of all objects in data of callers' },
  { name: 'deepestPayload', value: deepestPayload, meaning: 'levels of nesting in data of callers' },
  { name: 'mostAttributes', value: mostAttributes, meaning: 'custom attributes of a schedule' },
  {
    name: 'largestAttributes',
    value: largestAttributes,
    meaning: 'bytes of custom attributes of a schedule',
  },
];
