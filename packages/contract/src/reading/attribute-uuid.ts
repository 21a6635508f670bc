// The identifier of an attribute that its connector sends without one.

const PRIME = 0x100000001b3n;
const OFFSETS = [0xcbf29ce484222325n, 0x84222325cbf29ce4n] as const;

/**
 * Returns the UUID derived from an attribute's name (version 8, RFC 9562 §5.8), so that an attribute has the same
 * identifier in all responses. Names are unique within a connector, and definitions are stored per connector.
 */
export function attributeUuidOf(name: string): string {
  const hex = OFFSETS.map((offset) => hashOf(name, offset).toString(16).padStart(16, '0')).join('');
  // Version in the 13th digit, variant in the 17th.
  const marked = `${hex.slice(0, 12)}8${hex.slice(13, 16)}9${hex.slice(17)}`;
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** FNV-1a with 64 bits, which spreads short names well and is available in browsers without waiting. */
function hashOf(text: string, offset: bigint): bigint {
  let hash = offset;
  for (const octet of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(octet)) * PRIME);
  return hash;
}
