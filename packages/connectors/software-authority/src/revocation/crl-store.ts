// CRLs and what they are made of. A number is taken, and the entries that the CRL has are marked, in one transaction before
// it is signed; so no number is used twice and no revocation is forgotten, whatever is cut off.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { RevokedEntryInput } from '@signetry/pki';
import type { CertificateRevocationReason } from '@signetry/contract';

export interface StoredCrl {
  readonly number: number;
  readonly baseNumber: number | undefined;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly der: Uint8Array;
}

export interface ReservedCrl {
  readonly number: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly entries: readonly RevokedEntryInput[];
}

export interface CrlRequest {
  readonly authorityUuid: string;
  readonly now: Date;
  readonly validityMs: number;
  /** The full CRL that a delta CRL completes. */
  readonly base?: { readonly number: number };
}

interface CrlRow {
  readonly number: string | number;
  readonly base_number: string | number | null;
  readonly this_update: Date;
  readonly next_update: Date;
  readonly der: Uint8Array;
}

interface EntryRow {
  readonly serial: Uint8Array;
  readonly reason: CertificateRevocationReason;
  readonly revoked_at: Date;
  readonly invalidity_at: Date | null;
}

export type CrlStore = ReturnType<typeof createCrlStore>;

export function createCrlStore(storage: ConnectorStorage) {
  const authority = storage.table('authority');
  const crl = storage.table('crl');
  const revocation = storage.table('revocation');

  /** Takes the next number and gathers the entries. */
  const reserve = (request: CrlRequest): Promise<ReservedCrl> =>
    storage.transaction(async (tx) => {
      const { number, thisUpdate } = await takeNumber(tx, request);
      const nextUpdate = new Date(thisUpdate.getTime() + request.validityMs);
      const entries = request.base
        ? await changesSince(tx, { ...request, number, baseNumber: request.base.number })
        : await allEntries(tx, { ...request, number });
      await tx.query(
        `INSERT INTO ${crl} (authority_uuid, number, base_number, this_update, next_update) VALUES ($1, $2, $3, $4, $5)`,
        [request.authorityUuid, number, request.base?.number ?? null, thisUpdate, nextUpdate],
      );
      return { number, thisUpdate, nextUpdate, entries };
    });

  /**
   * Numbers follow the clock in seconds and always rise: a database that was restored to an older state does not give out a
   * number again that is already published. Time does not go back either.
   */
  async function takeNumber(
    tx: ConnectorStorage,
    { authorityUuid, now }: CrlRequest,
  ): Promise<{ number: number; thisUpdate: Date }> {
    const [row] = await tx.query<{ crl_number: string | number; crl_this_update: Date }>(
      `UPDATE ${authority} SET crl_number = GREATEST(crl_number + 1, $2::bigint),
         crl_this_update = GREATEST(crl_this_update, $3::timestamptz)
       WHERE uuid = $1 RETURNING crl_number, crl_this_update`,
      [authorityUuid, Math.floor(now.getTime() / 1000), wholeSecond(now)],
    );
    if (!row) throw new Error(`The authority ${authorityUuid} is gone.`);
    return { number: Number(row.crl_number), thisUpdate: row.crl_this_update };
  }

  /**
   * Everything revoked whose certificate had not ended when the last full CRL was made: an entry stays until one CRL after
   * the end of its certificate (RFC 5280 §3.3). What no signed CRL has is there in any case.
   */
  async function allEntries(
    tx: ConnectorStorage,
    full: { readonly authorityUuid: string; readonly number: number },
  ): Promise<readonly RevokedEntryInput[]> {
    await tx.query(
      `UPDATE ${revocation} SET full_crl_number = $2 WHERE authority_uuid = $1 AND full_crl_number IS NULL`,
      [full.authorityUuid, full.number],
    );
    const rows = await tx.query<EntryRow>(
      `WITH last AS (
         SELECT number, this_update FROM ${crl}
         WHERE authority_uuid = $1 AND base_number IS NULL AND der IS NOT NULL ORDER BY number DESC LIMIT 1)
       SELECT r.serial, r.reason, r.revoked_at, r.invalidity_at FROM ${revocation} r LEFT JOIN last ON true
       WHERE r.authority_uuid = $1 AND r.full_crl_number IS NOT NULL
         AND (last.number IS NULL OR r.full_crl_number > last.number OR r.expires_at >= last.this_update)
       ORDER BY r.serial`,
      [full.authorityUuid],
    );
    return rows.map(entryOf);
  }

  /** What the base does not have, or has otherwise. */
  async function changesSince(
    tx: ConnectorStorage,
    delta: { readonly authorityUuid: string; readonly number: number; readonly baseNumber: number },
  ): Promise<readonly RevokedEntryInput[]> {
    await tx.query(
      `UPDATE ${revocation} SET delta_crl_number = $2 WHERE authority_uuid = $1 AND ${sinceFull('$3')} AND delta_crl_number IS NULL`,
      [delta.authorityUuid, delta.number, delta.baseNumber],
    );
    const rows = await tx.query<EntryRow>(
      `SELECT serial, reason, revoked_at, invalidity_at FROM ${revocation}
       WHERE authority_uuid = $1 AND ${sinceFull('$2')} AND delta_crl_number IS NOT NULL ORDER BY serial`,
      [delta.authorityUuid, delta.baseNumber],
    );
    return rows.map(entryOf);
  }

  return {
    reserve,

    /**
     * Ends what was made under a clock that ran ahead, so that the next lists are dated by the clock that was accepted and have
     * every entry again whose certificate has not ended by it.
     */
    async endFutureCrls(now: Date): Promise<void> {
      await storage.transaction(async (tx) => {
        const values = [wholeSecond(now)];
        await tx.query(`UPDATE ${authority} SET crl_this_update = $1 WHERE crl_this_update > $1`, values);
        await tx.query(`UPDATE ${crl} SET this_update = $1, next_update = $1 WHERE this_update > $1`, values);
      });
    },

    /** Keeps a signed CRL; older ones of its kind are of no use any more and go. */
    async finish(
      authorityUuid: string,
      signed: { readonly number: number; readonly isDelta: boolean; readonly der: Uint8Array },
    ): Promise<void> {
      await storage.transaction(async (tx) => {
        await tx.query(`UPDATE ${crl} SET der = $3 WHERE authority_uuid = $1 AND number = $2`, [
          authorityUuid,
          signed.number,
          signed.der,
        ]);
        await tx.query(
          `DELETE FROM ${crl} WHERE authority_uuid = $1 AND number < $2 AND (base_number IS NOT NULL) = $3`,
          [authorityUuid, signed.number, signed.isDelta],
        );
      });
    },

    /** The latest signed CRL of a kind. */
    async findLatest(authorityUuid: string, kind: { readonly isDelta: boolean }): Promise<StoredCrl | undefined> {
      const [row] = await storage.query<CrlRow>(
        `SELECT number, base_number, this_update, next_update, der FROM ${crl}
         WHERE authority_uuid = $1 AND der IS NOT NULL AND (base_number IS NOT NULL) = $2 ORDER BY number DESC LIMIT 1`,
        [authorityUuid, kind.isDelta],
      );
      return row && storedOf(row);
    },

    /** Whether something was revoked that a full CRL does not have. */
    async isOutdated(authorityUuid: string, full: { readonly number: number }): Promise<boolean> {
      const [row] = await storage.query<{ outdated: boolean }>(
        `SELECT EXISTS (SELECT FROM ${revocation} WHERE authority_uuid = $1 AND ${sinceFull('$2')}) AS outdated`,
        [authorityUuid, full.number],
      );
      return row?.outdated ?? false;
    },

    /** Whether something was revoked that neither a delta CRL nor its base has. */
    async isDeltaOutdated(
      authorityUuid: string,
      delta: { readonly number: number; readonly baseNumber: number },
    ): Promise<boolean> {
      const [row] = await storage.query<{ outdated: boolean }>(
        `SELECT EXISTS (SELECT FROM ${revocation} WHERE authority_uuid = $1 AND ${sinceFull('$2')}
           AND (delta_crl_number IS NULL OR delta_crl_number > $3)) AS outdated`,
        [authorityUuid, delta.baseNumber, delta.number],
      );
      return row?.outdated ?? false;
    },
  };
}

/** Entries that a full CRL does not have as they are. */
const sinceFull = (number: string): string => `(full_crl_number IS NULL OR full_crl_number > ${number})`;

const wholeSecond = (instant: Date): Date => new Date(Math.floor(instant.getTime() / 1000) * 1000);

const entryOf = (row: EntryRow): RevokedEntryInput => ({
  serialNumber: row.serial,
  revocationMs: row.revoked_at.getTime(),
  reason: row.reason,
  ...(row.invalidity_at ? { invalidityMs: row.invalidity_at.getTime() } : {}),
});

const storedOf = (row: CrlRow): StoredCrl => ({
  number: Number(row.number),
  baseNumber: row.base_number === null ? undefined : Number(row.base_number),
  thisUpdate: row.this_update,
  nextUpdate: row.next_update,
  der: row.der,
});
