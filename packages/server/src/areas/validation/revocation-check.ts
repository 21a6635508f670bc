// What the inventory itself knows about the revocation of a certificate. For authorities of RA profiles it is the
// source that CRLs and OCSP answers are made of, so nothing has to be fetched.
import type { Certificate } from '@signetry/pki';
import type { ValidationRow } from './store.ts';
import type { RevocationOutcome } from './verdict.ts';

/**
 * Asks outside for a certificate that has an issuer, by the URLs that a certificate names; returns undefined when it
 * names none.
 */
export type LookUpRevocation = (subject: {
  readonly certificate: Certificate;
  /** Of its path, its issuer first. */
  readonly issuers: readonly Certificate[];
  /** What was fetched longer ago is fetched again; by default it is used as long as it is valid. */
  readonly maxAgeMs?: number;
}) => Promise<RevocationOutcome | undefined>;

export interface KnownRevocation {
  /** Nobody else knows better. */
  readonly isConclusive: boolean;
  readonly outcome: RevocationOutcome;
}

export function inventoryRevocation(
  row: Pick<ValidationRow, 'state' | 'revoked_at' | 'revocation_reason'>,
  { isIssuerOurs }: { readonly isIssuerOurs: boolean },
): KnownRevocation {
  if (row.state === 'revoked') {
    const when = row.revoked_at === null ? '' : ` at ${row.revoked_at.toISOString()}`;
    return both('revoked', `Revoked${when}, reason ${row.revocation_reason ?? 'unspecified'}.`, true);
  }
  if (isIssuerOurs)
    return both('valid', 'The inventory, which keeps the revocations of this issuer, knows of none.', true);
  return both('not_checked', 'The inventory does not keep the revocations of this issuer.', false);
}

function both(status: 'revoked' | 'valid' | 'not_checked', message: string, isConclusive: boolean): KnownRevocation {
  return { isConclusive, outcome: { ocsp: { status, message }, crl: { status, message } } };
}
