// Attribute UUIDs. Platforms store values under them, so a number is never reused or changed.
export const formUuid = (number: number): string => `4d7c19e2-0ab6-4e10-8f53-${String(number).padStart(12, '0')}`;
