/** Bounds on what the service accepts. They exist so that one caller cannot hurt the others; all are documented. */

/** Bytes of JSON for the input of an action plus memo. */
export const largestPayload = 2 * 1024 * 1024;

/** Characters of a schedule id; the started runs' ids add a time to it. */
export const longestId = 232;

/** Rows of one page. */
export const largestPage = 1000;

/** Characters of a namespace name. */
export const longestNamespace = 255;

/** Levels of nesting of what people hand in to be kept as it is. */
export const deepestPayload = 64;
