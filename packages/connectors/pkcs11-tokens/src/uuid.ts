// Token identifiers: UUIDv7 (RFC 9562 §5.7), so that rows are in creation order.

export function newUuid(nowMs: number, randomBytes: (length: number) => Uint8Array): string {
  const bytes = Uint8Array.from(randomBytes(16));
  for (let index = 0; index < 6; index += 1) bytes[index] = Math.floor(nowMs / 2 ** (8 * (5 - index))) & 0xff;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Identifiers in calls can be any text, but the database accepts only UUIDs. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
