/** The seven types a search attribute can have, as the wire names and numbers them. */
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

/** The number of a type on the wire; 0 is taken by "unspecified". */
export function typeNumber(type: AttributeType): number {
  return attributeTypes.indexOf(type) + 1;
}

export function typeOfNumber(number: number): AttributeType | undefined {
  return attributeTypes[number - 1];
}

export function isAttributeType(text: string): text is AttributeType {
  return (attributeTypes as readonly string[]).includes(text);
}
