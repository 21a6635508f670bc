// Database rows for revoked certificates. Concurrent revocations share a single commit.
import { createBatcher, type ConnectorStorage } from '@signetry/connector-sdk';
import type { CertificateRevocationReason } from '@signetry/contract';

export interface Revocation {
  readonly authorityUuid: string;
  readonly serial: Uint8Array;
  /** The CRL partition that the certificate refers to. */
  readonly shardUuid: string | undefined;
  readonly reason: CertificateRevocationReason;
  readonly revokedAt: Date;
  readonly invalidityAt: Date | undefined;
  readonly expiresAt: Date;
  readonly idempotencyKey: string | undefined;
}

export interface RecordedRevocation {
  readonly reason: CertificateRevocationReason;
  readonly revokedAt: Date;
}

export type RevocationStore = ReturnType<typeof createRevocationStore>;

export function createRevocationStore(storage: ConnectorStorage) {
  const table = storage.table('revocation');
  const hot = (name: string) => ({ name: `${storage.schema}.${name}` });

  /** Returns false if the certificate is already revoked, or if the idempotency key was used for a different one. */
  const insert = createBatcher<Revocation, boolean>({
    scheduleFlush: storage.scheduleFlush,
    write: async (items) => {
      const column = <Value>(pick: (item: Revocation) => Value): Value[] => items.map(pick);
      const rows = await storage.query<{ authority_uuid: string; serial: Uint8Array }>(
        `INSERT INTO ${table} (authority_uuid, serial, reason, revoked_at, invalidity_at, expires_at,
           idempotency_key, shard_uuid)
         SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
           $7::text[], $8::uuid[])
         ON CONFLICT DO NOTHING
         RETURNING authority_uuid, serial`,
        [
          column((item) => item.authorityUuid),
          column((item) => item.serial),
          column((item) => item.reason),
          column((item) => item.revokedAt),
          column((item) => item.invalidityAt ?? null),
          column((item) => item.expiresAt),
          column((item) => item.idempotencyKey ?? null),
          column((item) => item.shardUuid ?? null),
        ],
        hot('insert_revocation'),
      );
      const inserted = new Set(rows.map((row) => `${row.authority_uuid} ${row.serial.toHex()}`));
      // If a batch contains two identical items, the first counts as inserted, and the second finds it already
      // recorded.
      return items.map((item) => inserted.delete(`${item.authorityUuid} ${item.serial.toHex()}`));
    },
  });

  return {
    insert,

    ...holdOperations(storage),

    async find(authorityUuid: string, serial: Uint8Array): Promise<RecordedRevocation | undefined> {
      const [row] = await storage.query<{ reason: CertificateRevocationReason; revoked_at: Date }>(
        `SELECT reason, revoked_at FROM ${table} WHERE authority_uuid = $1 AND serial = $2 AND released_at IS NULL`,
        [authorityUuid, serial],
        hot('find_revocation'),
      );
      return row && { reason: row.reason, revokedAt: row.revoked_at };
    },

    /**
     * Replaces a revocation's reason. The revocation date is retained, and so is the invalidity date unless a new one
     * is specified. CRLs treat the entry as new. Returns false if the reason is no longer `earlier`.
     */
    async replaceReason(revocation: Revocation, earlier: CertificateRevocationReason): Promise<boolean> {
      const rows = await storage.query(
        `UPDATE ${table} SET reason = $3, invalidity_at = coalesce($4, invalidity_at), full_crl_number = NULL, delta_crl_number = NULL,
           shard_crl_number = NULL
         WHERE authority_uuid = $1 AND serial = $2 AND reason = $5 AND released_at IS NULL RETURNING serial`,
        [revocation.authorityUuid, revocation.serial, revocation.reason, revocation.invalidityAt ?? null, earlier],
      );
      return rows.length > 0;
    },
  };
}

/** Operations on certificates on hold. */
function holdOperations(storage: ConnectorStorage) {
  const table = storage.table('revocation');
  return {
    /**
     * Revokes a certificate that was released from hold. Returns false if it was not released or is already revoked
     * again. CRLs treat the entry as new.
     */
    async renew({ authorityUuid, serial, ...facts }: Revocation): Promise<boolean> {
      const rows = await storage.query(
        `UPDATE ${table} SET reason = $3, revoked_at = $4, invalidity_at = $5, idempotency_key = $6, released_at = NULL,
           full_crl_number = NULL, delta_crl_number = NULL, shard_crl_number = NULL
         WHERE authority_uuid = $1 AND serial = $2 AND released_at IS NOT NULL RETURNING serial`,
        [
          authorityUuid,
          serial,
          facts.reason,
          facts.revokedAt,
          facts.invalidityAt ?? null,
          facts.idempotencyKey ?? null,
        ],
      );
      return rows.length > 0;
    },

    /**
     * Releases a certificate from hold, so that later CRLs omit its entry. Returns false if the certificate is not on
     * hold.
     */
    async release(authorityUuid: string, serial: Uint8Array, releasedAt: Date): Promise<boolean> {
      const rows = await storage.query(
        `UPDATE ${table} SET released_at = $3, full_crl_number = NULL, delta_crl_number = NULL, shard_crl_number = NULL
         WHERE authority_uuid = $1 AND serial = $2 AND reason = 'certificateHold' AND released_at IS NULL
         RETURNING serial`,
        [authorityUuid, serial, releasedAt],
      );
      return rows.length > 0;
    },
  };
}
