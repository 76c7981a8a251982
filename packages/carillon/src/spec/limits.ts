/** Limits of the spec library. They bound the cost of validation, compiling and searching for any input. */

/** Entries of all kinds in one spec, exclusions included. */
export const maxEntries = 1000;
/** Characters of a cron text, a calendar field or a date. */
export const maxTextLength = 1000;
/** Characters of a recurrence rule with all its lines. */
export const maxRuleLength = 10_000;
/** Ranges in one field of a structured calendar. */
export const maxRanges = 1000;
/** Bytes of a calendar's comment (Temporal's limit). */
export const maxCommentBytes = 200;
/** Base64 characters of `zoneData`; real TZif files stay below 5 KB. */
export const maxZoneDataLength = 200_000;
/** Years a calendar may name. Cron and calendar texts, which follow Temporal, begin at 2000. */
export const minYear = 1970;
export const minTextYear = 2000;
export const maxYear = 2100;
/** Shortest interval. */
export const minIntervalMs = 1000;
/** Longest interval, phase and jitter: 10,000 years, Temporal's limit for a duration. */
export const maxDurationMs = 315_576_000_000_000;

/** The most occurrences that one call of `between` returns, even if its limit is larger. */
export const maxTimes = 1_000_000;
