// Checks whether a text is an object identifier in dotted-decimal notation.
import { attributeTypeOfCode } from '@signetry/pki';

export const isObjectIdentifier = (text: string): boolean => /^\d/.test(text) && attributeTypeOfCode(text) === text;
