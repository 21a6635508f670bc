// A journal of every use of a CA key. An entry is committed before the key is used and never changes. The signature is
// recorded as a separate entry. Therefore, even after an interruption, every signed object is known, each serial number
// is used only once, and a repeated call returns the same certificate. Concurrent entries are committed as a group. If
// the key is in memory and the caller keeps its records in the same database, the caller's commit makes the entries
// durable.
import { createBatcher, type ConnectorStorage, type QueryOptions, type WriteDurability } from '@signetry/connector-sdk';

export interface Reservation {
  readonly authorityUuid: string;
  readonly serial: Uint8Array;
  readonly idempotencyKey: string | undefined;
  readonly operation: IssuanceOperation;
  /** Digest of the request, so that an idempotency key cannot be reused for a different one. */
  readonly requestDigest: Uint8Array;
  readonly keyFingerprint: Uint8Array;
  readonly namesOverridden: boolean;
  readonly expiresAt: Date;
  readonly preparedAt: Date;
  readonly tbsSha256: Uint8Array;
  readonly tbs: Uint8Array;
  /**
   * `withAnswer` if the signed object is not released before the caller commits its record. That commit also makes this
   * entry durable.
   */
  readonly durability: WriteDurability;
}

export interface SignatureOfEntry {
  readonly id: number;
  readonly signature: Uint8Array;
  /** Same meaning as for a reservation. */
  readonly durability: WriteDurability;
}

export type IssuanceOperation = 'issue' | 'renew' | 'root' | 'subordinate';

export interface JournalEntry {
  readonly id: number;
  readonly serial: Uint8Array;
  readonly requestDigest: Uint8Array;
  readonly namesOverridden: boolean;
  readonly expiresAt: Date;
  readonly tbsSha256: Uint8Array;
  readonly tbs: Uint8Array;
  /** Absent if the process was interrupted after the entry was made but before the signature was recorded. */
  readonly signature: Uint8Array | undefined;
}

export interface IssuanceJournal {
  /**
   * Resolves after the commit. Returns the entry's identifier, or undefined if the serial number or the idempotency key
   * is already used.
   */
  reserve(reservation: Reservation): Promise<number | undefined>;
  /** Returns the effective signature: the first one recorded. */
  recordSignature(entry: SignatureOfEntry): Promise<Uint8Array>;
  findByKey(authorityUuid: string, idempotencyKey: string): Promise<JournalEntry | undefined>;
  findBySerial(authorityUuid: string, serial: Uint8Array): Promise<JournalEntry | undefined>;
  /** Time of the last entry. */
  lastPreparedAt(): Promise<Date | undefined>;
}

interface EntryRow {
  readonly id: string | number;
  readonly serial: Uint8Array;
  readonly request_digest: Uint8Array;
  readonly names_overridden: boolean;
  readonly expires_at: Date;
  readonly tbs_sha256: Uint8Array;
  readonly tbs: Uint8Array;
  readonly signature: Uint8Array | null;
}

export function createIssuanceJournal(storage: ConnectorStorage): IssuanceJournal {
  const tables = { issuance: storage.table('issuance'), signatures: storage.table('issuance_signature') };
  const { scheduleFlush } = storage;
  const find = (condition: string, values: readonly unknown[], name: string) =>
    findEntry(storage, tables, { condition, values, name });
  return {
    reserve: createBatcher({ scheduleFlush, write: reserveAll(storage, tables) }),
    recordSignature: createBatcher({ scheduleFlush, write: recordAll(storage, tables) }),
    findByKey: (authorityUuid, key) =>
      find('i.authority_uuid = $1 AND i.idempotency_key = $2', [authorityUuid, key], 'find_by_key'),
    findBySerial: (authorityUuid, serial) =>
      find('i.authority_uuid = $1 AND i.serial = $2', [authorityUuid, serial], 'find_by_serial'),
    async lastPreparedAt() {
      const [row] = await storage.query<{ prepared_at: Date }>(
        `SELECT prepared_at FROM ${tables.issuance} ORDER BY id DESC LIMIT 1`,
      );
      return row?.prepared_at;
    },
  };
}

interface JournalTables {
  readonly issuance: string;
  readonly signatures: string;
}

const hot = (storage: ConnectorStorage, name: string) => ({ name: `${storage.schema}.${name}` });

/** A statement that writes multiple entries waits for the commit if any of them requires it. */
const writeOptions = (
  storage: ConnectorStorage,
  name: string,
  entries: readonly Pick<Reservation, 'durability'>[],
): QueryOptions => ({
  ...hot(storage, name),
  durability: entries.every(({ durability }) => durability === 'withAnswer') ? 'withAnswer' : 'atOnce',
});

/** Reserves multiple entries in one statement. */
function reserveAll(storage: ConnectorStorage, { issuance }: JournalTables) {
  // A conflict on any unique key skips the row; callers look up the cause if they need it.
  const statement = `
    INSERT INTO ${issuance} (authority_uuid, serial, idempotency_key, operation, request_digest, key_fingerprint,
      names_overridden, expires_at, prepared_at, tbs_sha256, tbs)
    SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::boolean[],
      $8::timestamptz[], $9::timestamptz[], $10::bytea[], $11::bytea[])
    ON CONFLICT DO NOTHING
    RETURNING id, tbs_sha256`;

  return async (items: readonly Reservation[]): Promise<(number | undefined)[]> => {
    const column = <Value>(pick: (item: Reservation) => Value): Value[] => items.map(pick);
    const rows = await storage.query<{ id: string | number; tbs_sha256: Uint8Array }>(
      statement,
      [
        column((item) => item.authorityUuid),
        column((item) => item.serial),
        column((item) => item.idempotencyKey ?? null),
        column((item) => item.operation),
        column((item) => item.requestDigest),
        column((item) => item.keyFingerprint),
        column((item) => item.namesOverridden),
        column((item) => item.expiresAt),
        column((item) => item.preparedAt),
        column((item) => item.tbsSha256),
        column((item) => item.tbs),
      ],
      writeOptions(storage, 'reserve', items),
    );
    // The digest of the signed data distinguishes rows even if a serial number was generated twice in one batch.
    const ids = new Map(rows.map((row) => [row.tbs_sha256.toHex(), Number(row.id)]));
    return items.map((item) => {
      const digest = item.tbsSha256.toHex();
      const id = ids.get(digest);
      ids.delete(digest);
      return id;
    });
  };
}

/** Records multiple signatures in one statement and returns the effective ones: the first for each entry. */
function recordAll(storage: ConnectorStorage, { signatures }: JournalTables) {
  const statement = `
    INSERT INTO ${signatures} (issuance_id, signature) SELECT * FROM unnest($1::bigint[], $2::bytea[])
    ON CONFLICT DO NOTHING
    RETURNING issuance_id`;

  return async (items: readonly SignatureOfEntry[]): Promise<Uint8Array[]> => {
    const ids = items.map(({ id }) => id);
    const values = [ids, items.map(({ signature }) => signature)];
    const recorded = await storage.query(statement, values, writeOptions(storage, 'record_signature', items));
    if (recorded.length === items.length) return items.map(({ signature }) => signature);
    const rows = await storage.query<{ issuance_id: string | number; signature: Uint8Array }>(
      `SELECT issuance_id, signature FROM ${signatures} WHERE issuance_id = ANY($1::bigint[])`,
      [ids],
    );
    const stored = new Map(rows.map((row) => [Number(row.issuance_id), row.signature]));
    return items.map(({ id, signature }) => stored.get(id) ?? signature);
  };
}

async function findEntry(
  storage: ConnectorStorage,
  { issuance, signatures }: JournalTables,
  query: { readonly condition: string; readonly values: readonly unknown[]; readonly name: string },
): Promise<JournalEntry | undefined> {
  const [row] = await storage.query<EntryRow>(
    `SELECT i.id, i.serial, i.request_digest, i.names_overridden, i.expires_at, i.tbs_sha256, i.tbs, s.signature
     FROM ${issuance} i LEFT JOIN ${signatures} s ON s.issuance_id = i.id WHERE ${query.condition}`,
    query.values,
    hot(storage, query.name),
  );
  return row && entryOf(row);
}

const entryOf = (row: EntryRow): JournalEntry => ({
  id: Number(row.id),
  serial: row.serial,
  requestDigest: row.request_digest,
  namesOverridden: row.names_overridden,
  expiresAt: row.expires_at,
  tbsSha256: row.tbs_sha256,
  tbs: row.tbs,
  signature: row.signature ?? undefined,
});
