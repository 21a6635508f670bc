// Identifier octets of the types used in PKIX. Tags are compared as whole octets (class, constructed bit and number),
// so a primitive SEQUENCE or a constructed OCTET STRING is rejected without a separate check.

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns the identifier octet of a primitive context-specific element: IMPLICIT tagging of a primitive type. */
export function contextPrimitive(number: number): number {
  return 0x80 | number;
}

/**
 * Returns the identifier octet of a constructed context-specific element: EXPLICIT tagging, or IMPLICIT tagging of a
 * constructed type.
 */
export function contextConstructed(number: number): number {
  return 0xa0 | number;
}
