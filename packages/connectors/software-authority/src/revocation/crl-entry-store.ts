// The entries of CRLs, from the rows of revoked certificates. A full list is made from the previous one and the changes
// since; from all rows only when there is none, when much changed, or when the count does not match. Rows are read in
// portions, so that a list of a hundred thousand entries does not block others and is never in memory as objects.
//
// A full list has every entry that no scheduled list had yet, and every entry whose certificate had not expired when
// the last scheduled list was made. So an entry stays until one scheduled list after the certificate expired (RFC 5280
// §3.3).
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

/** A list as a point of reference: its contents follow from the revocations and these values. */
export interface ListReference {
  readonly number: number;
  readonly thisUpdate: Date;
}

export interface FullListFacts extends ListReference {
  /** Not made early because of a revocation; deltas refer to it, and later lists omit what expired before it. */
  readonly isScheduled: boolean;
  /** The scheduled list before it; undefined for the first one. */
  readonly after: ListReference | undefined;
}

export interface FullEntriesRequest {
  /** The authority or the shard. */
  readonly ownerUuid: string;
  readonly number: number;
  /** The last scheduled list. */
  readonly after: ListReference | undefined;
  /** The latest list, and its octets. */
  readonly last: { readonly facts: FullListFacts; readonly der: Uint8Array } | undefined;
}

interface EntryRow {
  readonly serial: Uint8Array;
  readonly reason: CertificateRevocationReason | 'removeFromCRL';
  readonly revoked_s: number;
  readonly invalidity_s: number | null;
  /** From hold: it has no entry any more. */
  readonly is_released: boolean;
}

/** Changes up to which a list is patched: a few milliseconds of work. */
const MAX_CHANGES = 2_000;

/** Rows read and encoded at a time: a millisecond or two of work. */
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
    this.isListed = listed(mark);
    this.isLeaving = leavingAfter(mark);
  }

  /** Entries of a full list; marks those that it is the first to have. In the transaction that takes its number. */
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
    // A list with an error must not be carried on forever.
    return changed && changed.count === (await this.countAll(tx, wanted)) ? changed : undefined;
  }

  /** Entries of a scheduled list that later ones no longer have. */
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
   * All rows, portion by portion. An unmarked one (a reason replaced meanwhile, or a certificate revoked just now) is
   * included as well: at worst the next list has it again as new.
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
   * Entries of a delta: those that its base lacks or has differently, and those of the base that were removed since.
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
    return sinceFull(this.mark, number);
  }
}

/** Entries that a full list lacks or has differently. */
export const sinceFull = (mark: CrlTables['mark'], number: string): string =>
  `(${mark} IS NULL OR ${mark} > ${number})`;

/**
 * What a full list has, but for what was released from hold; $2 and $3 are number and time of the last scheduled one.
 */
const listed = (mark: CrlTables['mark']): string =>
  `($2::bigint IS NULL OR ${mark} IS NULL OR ${mark} > $2 OR expires_at >= $3::timestamptz)`;

/**
 * What the scheduled list $2 of the time $3 has and those after it do not; $4 and $5 are the scheduled list before it.
 */
const leavingAfter = (mark: CrlTables['mark']): string => `(${mark} <= $2 AND expires_at < $3::timestamptz
  AND released_at IS NULL AND ($4::bigint IS NULL OR ${mark} > $4 OR expires_at >= $5::timestamptz))`;

/** With a cursor: the rows are sorted once, and each portion leaves the turn to others. */
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

/** The entries of a signed list with changes; undefined when they are not encoded as we write them. */
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
