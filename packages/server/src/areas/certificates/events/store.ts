// Certificate facts for event data.
import { sql } from 'kysely';
import type { Executor } from '../../../platform/database/database.ts';

export interface CertificateFactsRow {
  readonly uuid: string;
  readonly fingerprint: string | null;
  readonly serial_number: string | null;
  readonly subject_dn: string;
  readonly issuer_dn: string;
  readonly not_before: Date | null;
  readonly not_after: Date | null;
  readonly ra_profile_uuid: string | null;
  readonly ra_profile_name: string | null;
  readonly authority_uuid: string | null;
}

export async function findFacts(executor: Executor, uuids: readonly string[]): Promise<readonly CertificateFactsRow[]> {
  const { rows } = await sql<CertificateFactsRow>`
    SELECT c.uuid, c.fingerprint, c.serial_number, c.subject_dn, c.issuer_dn, c.not_before, c.not_after,
      c.ra_profile_uuid, p.name AS ra_profile_name, p.authority_uuid
    FROM certificate c LEFT JOIN ra_profile p ON p.uuid = c.ra_profile_uuid
    WHERE c.uuid = ANY (${uuids}::uuid[])`.execute(executor);
  return rows;
}
