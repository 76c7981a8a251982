/** The types of search attributes and their numbers on the wire. */
import type { AttributeType } from 'carillon/internal/service';
import { attributeTypes } from 'carillon/internal/service';

/** The number of a type on the wire; 0 means "unspecified". */
export function typeNumber(type: AttributeType): number {
  return attributeTypes.indexOf(type) + 1;
}

export function typeOfNumber(number: number): AttributeType | undefined {
  return attributeTypes[number - 1];
}
