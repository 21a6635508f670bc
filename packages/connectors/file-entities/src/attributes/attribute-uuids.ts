// Identifiers of the attributes. Platforms keep values under them, so a number is never reused or changed.

/** `form` tells the forms apart, `number` the attributes inside. */
const attributeUuid = (form: number, number: number): string =>
  `3e9a6d52-81c4-4f${String(form).padStart(2, '0')}-a7b3-${String(number).padStart(12, '0')}`;

export const entityUuid = (number: number): string => attributeUuid(10, number);
export const locationUuid = (number: number): string => attributeUuid(20, number);
export const requestUuid = (number: number): string => attributeUuid(30, number);
export const metadataUuid = (number: number): string => attributeUuid(50, number);
