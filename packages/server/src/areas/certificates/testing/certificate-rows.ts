// For tests of this area only: inserts inventory rows directly, in bulk.
import { createHash } from 'node:crypto';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { CertificateRow } from '../tables.ts';

export type RowFacts = Partial<Omit<CertificateRow, 'subject_alternative_names'>> & {
  readonly common_name: string;
  readonly names?: Readonly<Record<string, readonly string[]>>;
};

/** Within the validity period of the certificates. */
const MADE_AT = new Date(Date.UTC(2026, 0, 1));

/** Inserts issued certificates with these names; facts override the defaults. Returns the rows in order. */
export async function insertRows(database: Database, rows: readonly RowFacts[]): Promise<CertificateRow[]> {
  const complete = rows.map(({ names, ...facts }) => {
    const uuid = facts.uuid ?? newUuid();
    const hash = createHash('sha256').update(uuid).digest('hex');
    return {
      state: 'issued',
      validation_status: 'valid',
      compliance_status: 'not_checked',
      certificate_type: 'X.509',
      subject_dn: `CN=${facts.common_name}`,
      subject_dn_normalized: facts.common_name,
      serial_number: hash.slice(0, 32).replace(/^0+/, ''),
      fingerprint: hash,
      not_before: new Date(Date.UTC(2026, 0, 1)),
      not_after: new Date(Date.UTC(2027, 0, 1)),
      public_key_algorithm: 'ECDSA',
      public_key_fingerprint: hash,
      key_size: 256,
      hybrid_certificate: false,
      key_usage: 0,
      extended_key_usage: [],
      archived: false,
      revocation_awaits_approval: false,
      created_at: MADE_AT,
      updated_at: MADE_AT,
      subject_alternative_names: names ?? {},
      ...facts,
      uuid,
    };
  });
  const columns = [...new Set(complete.flatMap((row) => Object.keys(row)))].join(', ');
  await database.query(
    `INSERT INTO certificate (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::certificate, $1)`,
    [JSON.stringify(complete)],
  );
  return complete as unknown as CertificateRow[]; // Omitted columns are null in the table.
}
