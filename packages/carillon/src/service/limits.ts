/** Bounds on what the service accepts. They exist so that one caller cannot hurt the others; all are documented. */

/** Bytes of JSON for the input of an action plus memo. */
export const largestPayload = 2 * 1024 * 1024;

/** Characters of a schedule id; the started runs' ids add a time to it. */
export const longestId = 232;

/** Rows of one page. */
export const largestPage = 1000;

/**
 * Bytes of stored JSON that are read for one page, roughly; a page that reaches it ends early and says where to go on. The
 * inputs of schedules count even where they are not shown, because definitions are read whole.
 */
export const largestPageBytes = 4 * 1024 * 1024;

/** Characters of a namespace name. */
export const longestNamespace = 255;

/** Keys of one object, and of all objects together, in what people hand in to be kept as it is. */
export const mostKeysOfObject = 10_000;
export const mostKeys = 100_000;

/** Custom attributes of a schedule: how many, and bytes of all of them as JSON. */
export const mostAttributes = 100;
export const largestAttributes = 40 * 1024;

/** Levels of nesting of what people hand in to be kept as it is. */
export const deepestPayload = 64;
