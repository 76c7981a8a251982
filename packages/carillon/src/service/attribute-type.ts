/** The types a search attribute can have. Names and order are those of Temporal, whose clients register them. */
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

/** Types by the names of the attributes. */
export type AttributeTypes = ReadonlyMap<string, AttributeType>;
