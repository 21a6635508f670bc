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

/** The key is in other hands: that of the certificate, or that of the CA that it is for. */
export const isKeyCompromise = (reason: RevocationReason | undefined): boolean =>
  reason === 'keyCompromise' || reason === 'cACompromise';

/**
 * May a later report replace the reason of a revocation? One of a compromised key may, because relying parties then
 * also distrust what was signed before (RFC 5280 §5.3.1, RFC 8555 §7.6). A hold may become final with any reason.
 */
export const mayReplaceReason = (
  earlier: RevocationReason | undefined,
  later: RevocationReason | undefined,
): boolean =>
  earlier === 'certificateHold'
    ? later !== undefined && later !== 'certificateHold' && later !== 'removeFromCRL'
    : isKeyCompromise(later) && !isKeyCompromise(earlier);

const names = new Map<number, RevocationReason>(
  (Object.keys(REVOCATION_REASONS) as RevocationReason[]).map((name) => [REVOCATION_REASONS[name], name]), // own keys
);

/** The name of a code; `undefined` for 7, which is not used, and for unknown ones. */
export function revocationReasonOf(code: number): RevocationReason | undefined {
  return names.get(code);
}
