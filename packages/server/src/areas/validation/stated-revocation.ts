// Revocations stated in other issuers' CRLs and OCSP responses. They keep the issuer's data and are reversible: a hold
// can be released, or the next CRL can correct an error (RFC 5280 §5.3.1).
import type { ValidationRow } from './store.ts';
import { inventoryRevocation } from './revocation-check.ts';
import type { RevocationCheck, RevocationOutcome } from './verdict.ts';

/** Revocation with the data that the issuer provides. */
export interface StatedRevocation {
  readonly revokedAt: Date;
  readonly reason: NonNullable<ValidationRow['revocation_reason']>;
  /** `CRL` or `OCSP`, followed by the URL. */
  readonly source: string;
  /** thisUpdate of the CRL or response. */
  readonly statedAt: Date;
}

type StatedRow = Pick<
  ValidationRow,
  'state' | 'revoked_at' | 'revocation_reason' | 'revocation_source' | 'revocation_stated_at'
>;

/** Whether an external source stated the revocation. Revocations made on the platform cannot be lifted externally. */
export const isStatedExternally = ({
  state,
  revocation_source: source,
}: Pick<StatedRow, 'state' | 'revocation_source'>) => state === 'revoked' && source !== null;

/**
 * Maximum age of a cached CRL or response about such a certificate; an older one is requested again, even if it is
 * still valid.
 */
export const STATED_MAX_AGE_MS = 60_000;

/**
 * Keeps the revocation until a CRL or OCSP response that is at least as recent states that the certificate is not
 * revoked.
 */
export function resolveRevocation(row: StatedRow, asked: RevocationOutcome | undefined): RevocationOutcome {
  const own = inventoryRevocation(row, { isIssuerOurs: false }).outcome;
  if (!asked) return own;
  if (asked.ocsp.status === 'revoked' || asked.crl.status === 'revoked' || isLifted(row, asked)) return asked;
  const withOwnMessage = ({ message }: RevocationCheck) => ({ ...own.crl, message: `${own.crl.message} ${message}` });
  return isByOcsp(row) ? { ...asked, ocsp: withOwnMessage(asked.ocsp) } : { ...asked, crl: withOwnMessage(asked.crl) };
}

const isByOcsp = ({ revocation_source: source }: StatedRow): boolean => source?.startsWith('OCSP') ?? false;

function isLifted(row: StatedRow, { ocsp, crl }: RevocationOutcome): boolean {
  const liftsRevocation = ({ status, statement }: RevocationCheck): boolean =>
    status === 'valid' &&
    statement !== undefined &&
    (row.revocation_stated_at === null || statement.statedAtMs >= row.revocation_stated_at.getTime());
  if (liftsRevocation(crl)) return true;
  // Responders that rely on CRLs lag behind them, so their responses do not override an unavailable CRL.
  return liftsRevocation(ocsp) && (crl.status !== 'failed' || isByOcsp(row));
}

/** Returns the stated revocation, preferring a statement with a reason, since responders often provide none. */
export function statedRevocationOf({ ocsp, crl }: RevocationOutcome): StatedRevocation | undefined {
  const all = [ocsp, crl].flatMap(({ statement }) => {
    const { revoked } = statement ?? {};
    // Complete CRLs contain no such entries.
    if (!statement || !revoked || revoked.reason === 'removeFromCRL') return [];
    const { source, statedAtMs } = statement;
    return { revokedAt: new Date(revoked.atMs), reason: revoked.reason, source, statedAt: new Date(statedAtMs) };
  });
  return all.find(({ reason }) => reason !== 'unspecified') ?? all[0];
}

/** Whether the issuer now states a different date or reason, e.g. after a hold. */
export const isRestated = (row: StatedRow, stated: StatedRevocation | undefined): boolean =>
  isStatedExternally(row) &&
  stated !== undefined &&
  (stated.reason !== row.revocation_reason || stated.revokedAt.getTime() !== row.revoked_at?.getTime());

const SHORTEST_RECHECK_MS = 3_600_000;
const LONGEST_RECHECK_MS = 24 * 3_600_000;

/**
 * Returns when the next CRL or response can lift the revocation; undefined if no external source states the revocation.
 */
export function recheckAtMs(row: StatedRow, { ocsp, crl }: RevocationOutcome, nowMs: number): number | undefined {
  const stated = [ocsp, crl].flatMap(({ statement }) => (statement?.revoked ? [statement] : []));
  if (stated.length === 0 && !isStatedExternally(row)) return undefined;
  const nextMs = Math.min(...stated.map(({ nextUpdateMs }) => nextUpdateMs ?? 0));
  return Math.max(nowMs + SHORTEST_RECHECK_MS, Math.min(nextMs, nowMs + LONGEST_RECHECK_MS));
}
