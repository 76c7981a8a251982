/** Bounds of what handlers and callers may hand over. They are documented in the guide. */

/** Characters of JSON. */
export const longestPayload = 262_144;
export const longestData = 1_048_576;
export const longestChangeResult = 262_144;
export const longestMessageId = 200;
export const longestNote = 1000;
/** Events that one run may reserve, and messages that one run or call may publish. */
export const mostReserved = 1000;
export const mostPublished = 1000;
