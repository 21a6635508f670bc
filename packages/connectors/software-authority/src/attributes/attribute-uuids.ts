// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.

/** `form` identifies the form, `number` the attribute within it. */
const attributeUuid = (form: number, number: number): string =>
  `5e0f7a3c-9d41-4b${String(form).padStart(2, '0')}-8c52-${String(number).padStart(12, '0')}`;

export const authorityAttributeUuid = (number: number): string => attributeUuid(10, number);
export const raProfileAttributeUuid = (number: number): string => attributeUuid(20, number);
export const issueAttributeUuid = (number: number): string => attributeUuid(30, number);
export const revokeAttributeUuid = (number: number): string => attributeUuid(40, number);
export const metadataUuid = (number: number): string => attributeUuid(50, number);
