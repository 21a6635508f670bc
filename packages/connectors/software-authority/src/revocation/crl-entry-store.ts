// CRL entries, created from the database rows for revoked certificates. A full CRL is derived from the previous one and
// the changes since then. It is rebuilt from all rows only if there is no previous CRL, if there are many changes, or
// if the count does not match. Rows are read in batches, so that a CRL with 100,000 entries does not block other work
// and is never in memory as objects.
//
// A full CRL contains every entry that no scheduled CRL has contained yet, and every entry whose certificate had not
// expired when the last scheduled CRL was issued. An entry therefore remains until it has appeared in one scheduled CRL
// issued after its certificate expired (RFC 5280 §3.3).
import { setImmediate } from 'node:timers/promises';
import type { ConnectorStorage } from '@signetry/connector-sdk';
import {
  changeEntriesInSlices,
  contentBytes,
  encodeEntries,
  isPkiError,
  joinEntries,
  NO_ENTRIES,
  parseCrl,
  type EntryList,
  type RevokedEntryInput,
} from '@signetry/pki';
import type { CertificateRevocationReason } from '@signetry/contract';
import type { CrlTables } from './crl-tables.ts';

/** A CRL as a reference point: its entries follow from the revocations and these values. */
export interface ListReference {
  readonly number: number;
  readonly thisUpdate: Date;
}

export interface FullListFacts extends ListReference {
  /**
   * False for a CRL issued early because of a revocation. Deltas refer to scheduled CRLs, and later CRLs omit entries
   * that expired before them.
   */
  readonly isScheduled: boolean;
  /** The preceding scheduled CRL; undefined for the first one. */
  readonly after: ListReference | undefined;
}

export interface FullEntriesRequest {
  /** The authority or the CRL partition. */
  readonly ownerUuid: string;
  readonly number: number;
  /** The last scheduled CRL. */
  readonly after: ListReference | undefined;
  /** The latest CRL and its encoding. */
  readonly last: { readonly facts: FullListFacts; readonly der: Uint8Array } | undefined;
}

interface EntryRow {
  readonly serial: Uint8Array;
  readonly reason: CertificateRevocationReason | 'removeFromCRL';
  readonly revoked_s: number;
  readonly invalidity_s: number | null;
  /** True if the certificate was released from hold, so that it no longer has an entry. */
  readonly is_released: boolean;
}

/** Maximum number of changes for which a CRL is patched. Patching then takes a few milliseconds. */
const MAX_CHANGES = 2_000;

/** Number of rows to read and encode per batch. Each batch takes a millisecond or two. */
const PORTION = 250;

const COLUMNS = `serial, reason, floor(extract(epoch FROM revoked_at))::float8 AS revoked_s,
  floor(extract(epoch FROM invalidity_at))::float8 AS invalidity_s, released_at IS NOT NULL AS is_released`;

export class CrlEntryStore {
  private readonly revocation: string;
  private readonly owner: CrlTables['owner'];
  private readonly mark: CrlTables['mark'];
  private readonly isListed: string;
  private readonly isLeaving: string;

  constructor(storage: Pick<ConnectorStorage, 'table'>, { owner, mark }: CrlTables) {
    this.revocation = storage.table('revocation');
    this.owner = owner;
    this.mark = mark;
    this.isListed = listedInFull(mark);
    this.isLeaving = omittedAfter(mark);
  }

  /**
   * Returns the entries for a full CRL and marks those that appear in a full CRL for the first time. Runs in the
   * transaction that assigns the CRL number.
   */
  async entriesOfFull(tx: ConnectorStorage, wanted: FullEntriesRequest): Promise<EntryList> {
    await tx.query(
      `UPDATE ${this.revocation} SET ${this.mark} = $2 WHERE ${this.owner} = $1 AND ${this.mark} IS NULL`,
      [wanted.ownerUuid, wanted.number],
    );
    return (await this.patchLast(tx, wanted)) ?? (await this.gatherAll(tx, wanted));
  }

  private async patchLast(tx: ConnectorStorage, wanted: FullEntriesRequest): Promise<EntryList | undefined> {
    if (!wanted.last) return undefined;
    const { facts, der } = wanted.last;
    const changes = await tx.query<EntryRow>(
      `SELECT ${COLUMNS} FROM ${this.revocation} WHERE ${this.owner} = $1 AND ${this.mark} > $2
       LIMIT ${MAX_CHANGES + 1}`,
      [wanted.ownerUuid, facts.number],
    );
    const drop = facts.isScheduled ? await this.leaving(tx, { ...facts, ownerUuid: wanted.ownerUuid }) : [];
    if (changes.length > MAX_CHANGES || drop.length > MAX_CHANGES) return undefined;
    const put = changes.filter((row) => !row.is_released).map(entryOf);
    const released = changes.filter((row) => row.is_released);
    const changed = await withChanges(der, { put, drop: [...drop, ...released].map(({ serial }) => serial) });
    // This check prevents an error in one CRL from propagating to all later ones.
    return changed && changed.count === (await this.countAll(tx, wanted)) ? changed : undefined;
  }

  /** Returns the entries in a scheduled CRL that later CRLs omit. */
  private leaving(
    tx: ConnectorStorage,
    list: Pick<FullListFacts, 'number' | 'thisUpdate' | 'after'> & { readonly ownerUuid: string },
  ): Promise<readonly EntryRow[]> {
    return tx.query<EntryRow>(
      `SELECT ${COLUMNS} FROM ${this.revocation} WHERE ${this.owner} = $1 AND ${this.isLeaving}
       LIMIT ${MAX_CHANGES + 1}`,
      [list.ownerUuid, list.number, list.thisUpdate, list.after?.number ?? null, list.after?.thisUpdate ?? null],
    );
  }

  private async countAll(tx: ConnectorStorage, { ownerUuid, after }: FullEntriesRequest): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${this.revocation} WHERE ${this.owner} = $1 AND ${this.mark} IS NOT NULL
         AND released_at IS NULL AND ${this.isListed}`,
      [ownerUuid, after?.number ?? null, after?.thisUpdate ?? null],
    );
    return row?.count ?? 0;
  }

  /**
   * Reads all rows in batches. Unmarked rows (the reason was replaced in the meantime, or the certificate was just
   * revoked) are also included: at worst, the next CRL includes them again as new.
   */
  private gatherAll(tx: ConnectorStorage, { ownerUuid, after }: FullEntriesRequest): Promise<EntryList> {
    return gather(
      tx,
      `SELECT ${COLUMNS} FROM ${this.revocation}
       WHERE ${this.owner} = $1 AND released_at IS NULL AND ${this.isListed} ORDER BY serial`,
      [ownerUuid, after?.number ?? null, after?.thisUpdate ?? null],
    );
  }

  /**
   * Returns the entries for a delta CRL: entries that are missing from its base or differ from it, and entries removed
   * since the base was issued.
   */
  async entriesOfDelta(
    tx: ConnectorStorage,
    delta: { readonly ownerUuid: string; readonly number: number; readonly base: FullListFacts },
  ): Promise<EntryList> {
    const { ownerUuid, number, base } = delta;
    await tx.query(
      `UPDATE ${this.revocation} SET delta_crl_number = $2 WHERE ${this.owner} = $1 AND ${this.since('$3')} AND delta_crl_number IS NULL`,
      [ownerUuid, number, base.number],
    );
    const values = [
      ownerUuid,
      base.number,
      base.thisUpdate,
      base.after?.number ?? null,
      base.after?.thisUpdate ?? null,
    ];
    return gather(
      tx,
      `SELECT serial, CASE WHEN ${this.since('$2')} AND NOT is_released THEN reason ELSE 'removeFromCRL' END AS reason,
         revoked_s, invalidity_s
       FROM (SELECT ${COLUMNS}, ${this.mark}, expires_at, released_at FROM ${this.revocation} WHERE ${this.owner} = $1) AS r
       WHERE ${this.since('$2')} OR ${this.isLeaving} ORDER BY serial`,
      values,
    );
  }

  private since(number: string): string {
    return missingFromFull(this.mark, number);
  }
}

/** Returns the SQL condition for entries that are missing from a full CRL or differ from it. */
export const missingFromFull = (mark: CrlTables['mark'], number: string): string =>
  `(${mark} IS NULL OR ${mark} > ${number})`;

/**
 * Returns the SQL condition for entries in a full CRL, except those released from hold. $2 and $3 are the number and
 * time of the last scheduled CRL.
 */
const listedInFull = (mark: CrlTables['mark']): string =>
  `($2::bigint IS NULL OR ${mark} IS NULL OR ${mark} > $2 OR expires_at >= $3::timestamptz)`;

/**
 * SQL condition for entries that the scheduled CRL $2, issued at $3, contains and later ones omit; $4 and $5 are the
 * number and time of the preceding scheduled CRL.
 */
const omittedAfter = (mark: CrlTables['mark']): string => `(${mark} <= $2 AND expires_at < $3::timestamptz
  AND released_at IS NULL AND ($4::bigint IS NULL OR ${mark} > $4 OR expires_at >= $5::timestamptz))`;

/** Uses a cursor, so that the rows are sorted only once and the event loop can run between batches. */
async function gather(tx: ConnectorStorage, select: string, values: readonly unknown[]): Promise<EntryList> {
  const lists: EntryList[] = [];
  await tx.query(`DECLARE crl_entries NO SCROLL CURSOR FOR ${select}`, [...values]);
  for (;;) {
    const rows = await tx.query<EntryRow>(`FETCH ${PORTION} FROM crl_entries`);
    lists.push(encodeEntries(rows.map(entryOf)));
    if (rows.length < PORTION) break;
    await setImmediate();
  }
  await tx.query('CLOSE crl_entries');
  return joinEntries(lists);
}

/** Returns a signed CRL's entries with changes applied, or undefined if the CRL does not use our own encoding. */
async function withChanges(
  der: Uint8Array,
  changes: Parameters<typeof changeEntriesInSlices>[1],
): Promise<EntryList | undefined> {
  try {
    const { entries } = parseCrl(der);
    const slices = changeEntriesInSlices(entries ? contentBytes(entries) : NO_ENTRIES.octets, changes);
    for (;;) {
      const slice = slices.next();
      if (slice.done) return slice.value;
      await setImmediate();
    }
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

const entryOf = (row: EntryRow): RevokedEntryInput => ({
  serialNumber: row.serial,
  revocationMs: row.revoked_s * 1000,
  reason: row.reason,
  ...(row.invalidity_s === null ? {} : { invalidityMs: row.invalidity_s * 1000 }),
});
