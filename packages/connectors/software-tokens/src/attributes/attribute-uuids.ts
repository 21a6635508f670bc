// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.

/** `form` identifies the form, `number` the attribute in it. */
const attributeUuid = (form: number, number: number): string =>
  `7d3c1b8e-2f60-4c${String(form).padStart(2, '0')}-9a41-${String(number).padStart(12, '0')}`;

export const tokenAttributeUuid = (number: number): string => attributeUuid(10, number);
export const keyAttributeUuid = (number: number): string => attributeUuid(20, number);
export const metadataUuid = (number: number): string => attributeUuid(50, number);
