// A certificate's revocation status according to the inventory. CRLs and OCSP responses for authorities of RA profiles
// are generated from the inventory, so nothing needs to be fetched.
import type { Certificate } from '@signetry/pki';
import type { ValidationRow } from './store.ts';
import type { RevocationOutcome } from './verdict.ts';

/** Queries the external URLs that a certificate names. Returns undefined if its issuer is unknown. */
export type LookUpRevocation = (subject: {
  readonly certificate: Certificate;
  /** Issuers on the certificate's path, starting with its direct issuer. */
  readonly issuers: readonly Certificate[];
  /** Older cached data is fetched again; by default, cached data is used while it is valid. */
  readonly maxAgeMs?: number;
}) => Promise<RevocationOutcome | undefined>;

export interface KnownRevocation {
  /** Whether the inventory is authoritative for this certificate. */
  readonly isConclusive: boolean;
  readonly outcome: RevocationOutcome;
}

export function inventoryRevocation(
  row: Pick<ValidationRow, 'state' | 'revoked_at' | 'revocation_reason'>,
  { isIssuerOurs }: { readonly isIssuerOurs: boolean },
): KnownRevocation {
  if (row.state === 'revoked') {
    const when = row.revoked_at === null ? '' : ` at ${row.revoked_at.toISOString()}`;
    return bothChecks('revoked', `Revoked${when}, reason ${row.revocation_reason ?? 'unspecified'}.`, true);
  }
  if (isIssuerOurs)
    return bothChecks(
      'valid',
      "Not revoked, according to the inventory, which records this issuer's revocations.",
      true,
    );
  return bothChecks('not_checked', 'No revocation source for this issuer.', false);
}

function bothChecks(
  status: 'revoked' | 'valid' | 'not_checked',
  message: string,
  isConclusive: boolean,
): KnownRevocation {
  return { isConclusive, outcome: { ocsp: { status, message }, crl: { status, message } } };
}
