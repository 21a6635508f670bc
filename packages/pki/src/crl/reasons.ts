// Revocation reasons (RFC 5280 §5.3.1): codes and the names that the interface uses.

export const REVOCATION_REASONS = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  removeFromCRL: 8,
  privilegeWithdrawn: 9,
  aACompromise: 10,
} as const;

export type RevocationReason = keyof typeof REVOCATION_REASONS;

const names = new Map<number, RevocationReason>(
  (Object.keys(REVOCATION_REASONS) as RevocationReason[]).map((name) => [REVOCATION_REASONS[name], name]), // own keys
);

/** The name of a code; `undefined` for 7, which is not used, and for unknown ones. */
export function revocationReasonOf(code: number): RevocationReason | undefined {
  return names.get(code);
}
