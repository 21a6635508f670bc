// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.
export const formUuid = (number: number): string => `b1f0d7a4-53c8-4e10-9d26-${String(number).padStart(12, '0')}`;
