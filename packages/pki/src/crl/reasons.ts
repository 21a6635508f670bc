// Revocation reasons (RFC 5280 §5.3.1): codes and their names in the API.

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

/** Returns whether the reason is a compromise of the certificate's or the CA's private key. */
export const isKeyCompromise = (reason: RevocationReason | undefined): boolean =>
  reason === 'keyCompromise' || reason === 'cACompromise';

/**
 * Returns whether a later report may replace the revocation reason. A report of key compromise may, because relying
 * parties then also distrust earlier signatures (RFC 5280 §5.3.1, RFC 8555 §7.6). A hold can become final with any
 * reason.
 */
export const mayReplaceReason = (
  earlier: RevocationReason | undefined,
  later: RevocationReason | undefined,
): boolean =>
  earlier === 'certificateHold'
    ? later !== undefined && later !== 'certificateHold' && later !== 'removeFromCRL'
    : isKeyCompromise(later) && !isKeyCompromise(earlier);

const names = new Map<number, RevocationReason>(
  // `Object.keys` does not preserve the key type, hence the cast.
  (Object.keys(REVOCATION_REASONS) as RevocationReason[]).map((name) => [REVOCATION_REASONS[name], name]),
);

/** Returns the name of a reason code, or `undefined` for 7, which is unused, and for unknown codes. */
export function revocationReasonOf(code: number): RevocationReason | undefined {
  return names.get(code);
}
