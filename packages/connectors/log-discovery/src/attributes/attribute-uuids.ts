// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.

/** `form` identifies the form, `number` the attribute within it. */
const attributeUuid = (form: number, number: number): string =>
  `b7d1e0a4-5c36-4f${String(form).padStart(2, '0')}-9a41-${String(number).padStart(12, '0')}`;

export const formUuid = (number: number): string => attributeUuid(10, number);
export const certificateUuid = (number: number): string => attributeUuid(50, number);
export const discoveryUuid = (number: number): string => attributeUuid(60, number);
