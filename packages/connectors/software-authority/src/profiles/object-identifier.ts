// Checks whether a text is a dotted-decimal object identifier.
import { attributeTypeOfCode } from '@signetry/pki';

export const isObjectIdentifier = (text: string): boolean => /^\d/.test(text) && attributeTypeOfCode(text) === text;
