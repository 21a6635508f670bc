// Certificate queries from an account's perspective.
import { sql } from 'kysely';
import type { Database, Executor } from '../../../platform/database/database.ts';
import { guardStatement, matchedRow, type Guarded } from '../requests/store-guard.ts';
import type { AcmeTables } from '../model/tables.ts';

const tables = (executor: Executor) => executor.withTables<AcmeTables>();

export interface DownloadedCertificate {
  readonly uuid: string;
  readonly der: Buffer;
  readonly issuer_certificate_uuid: string | null;
}

/**
 * Statement that reads a certificate issued to the account. Relies on the primary keys of certificate and
 * certificate_content.
 */
export type ReadCertificate = Guarded<{ readonly uuid: string }, DownloadedCertificate | undefined>;

export function createReadCertificate({ relaxed }: Pick<Database, 'relaxed'>): ReadCertificate {
  const read = guardStatement<object, DownloadedCertificate>(relaxed, {
    name: 'acme_read_certificates',
    fields: 'target uuid',
    columns: 'content.der, c.uuid, c.issuer_certificate_uuid',
    join: `LEFT JOIN (certificate c JOIN certificate_content content ON content.fingerprint = c.fingerprint)
      ON c.uuid = item.target AND c.protocol_account_uuid = item.account_uuid AND c.state IN ('issued', 'revoked')`,
  });
  return async (call, { uuid }) => matchedRow(await read(call, { target: uuid }));
}

/** Returns the names that the account has proven and can still use, as `type:value`; wildcards keep their `*.`. */
export async function provenNames(executor: Executor, accountUuid: string, now: Date): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT DISTINCT identifier_type || ':' || CASE WHEN wildcard THEN '*.' ELSE '' END || identifier_value AS name
    FROM acme_authorization WHERE account_uuid = ${accountUuid}::uuid AND status = 'valid' AND expires_at > ${now}`.execute(
    executor,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Returns whether any order that is not invalid replaces the certificate. If `than` is specified, only orders placed
 * before that order count (RFC 9773 §5). If `beside` is specified, the open order with that key is ignored.
 */
export async function isReplaced(
  executor: Executor,
  facts: {
    readonly certificateUuid: string;
    readonly now: Date;
    readonly than?: string;
    readonly beside?: string;
  },
): Promise<boolean> {
  const { certificateUuid, now, than, beside } = facts;
  const row = await tables(executor)
    .selectFrom('acme_order')
    .select('uuid')
    .where('replaced_certificate_uuid', '=', certificateUuid)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['processing', 'valid']),
        eb.and([
          eb('status', '=', 'pending'),
          eb('expires_at', '>', now),
          ...(beside === undefined ? [] : [eb('reuse_key', 'is distinct from', beside)]),
        ]),
      ]),
    )
    .$if(than !== undefined, (query) => query.where('uuid', '<', than ?? ''))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
