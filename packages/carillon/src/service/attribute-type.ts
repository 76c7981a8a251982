/** The types of search attributes. Names and order are those of Temporal, whose clients register them. */
export const attributeTypes = [
  'Text',
  'Keyword',
  'Int',
  'Double',
  'Bool',
  'Datetime',
  'KeywordList',
] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** The types of attributes by name. */
export type AttributeTypes = ReadonlyMap<string, AttributeType>;
