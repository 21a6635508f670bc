// Raises certificate_expiring once per certificate and threshold, regardless of the number of nodes and of clock
// changes.
import type { Platform } from '../../platform/platform.ts';
import type { CertificateExpiring } from './events.ts';
import { findLongest, claimReached, type ReachedPosition, type ReachedRow } from './store-reached.ts';

/** Certificates per transaction. */
const BATCH = 5_000;

export interface ExpiryRaiserParts {
  readonly platform: Pick<Platform, 'database' | 'clock' | 'events' | 'faultPoint'>;
  /** Platform thresholds, which apply unless overridden. */
  readonly platformDays: () => Promise<readonly number[]>;
}

/** Returns the number of certificates for which the event was raised. */
export const createExpiryRaiser = ({
  platform: { database, clock, events, faultPoint },
  platformDays,
}: ExpiryRaiserParts) =>
  async function raiseExpiring(signal: AbortSignal): Promise<number> {
    const now = clock.now();
    const days = await platformDays();
    const longestDays = await findLongest(database.executor, days);
    let after: ReachedPosition | undefined;
    let told = 0;
    for (;;) {
      signal.throwIfAborted();
      const query = { now, platformDays: days, longestDays, after, limit: BATCH };
      const rows = await database.transaction(async (tx) => {
        const reached = await claimReached(tx, query);
        faultPoint('expiry.afterNotice');
        const payloads = reached.filter((row) => row.is_new).map(payloadOf);
        await events.appendAll(tx, 'certificate_expiring', payloads);
        told += payloads.length;
        return reached;
      });
      events.wake();
      after = rows.at(-1);
      if (rows.length < BATCH) return told;
    }
  };

const payloadOf = (row: ReachedRow): CertificateExpiring => ({
  certificateUuid: row.certificate_uuid,
  fingerprint: row.fingerprint,
  serialNumber: row.serial_number,
  subjectDn: row.subject_dn,
  issuerDn: row.issuer_dn,
  ...(row.authority_uuid === null ? {} : { authorityInstanceUuid: row.authority_uuid }),
  ...(row.ra_profile_uuid === null ? {} : { raProfileUuid: row.ra_profile_uuid }),
  ...(row.ra_profile_name === null ? {} : { raProfileName: row.ra_profile_name }),
  notBefore: row.not_before.toISOString(),
  expiresAt: row.not_after.toISOString(),
  thresholdDays: row.days,
});
