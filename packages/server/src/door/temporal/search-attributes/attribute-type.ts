/** The types a search attribute can have, as the wire numbers them. */
import type { AttributeType } from 'carillon/internal/service';
import { attributeTypes } from 'carillon/internal/service';

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
