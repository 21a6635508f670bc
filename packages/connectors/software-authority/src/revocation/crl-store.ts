// Stores CRLs for CAs and their partitions. A single transaction assigns the number and marks the CRL's entries before
// the CRL is signed, so that no number is reused and no revocation is lost if the process is interrupted.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import { concatBytes, type EntryList } from '@signetry/pki';
import { CrlEntryStore, missingFromFull, type FullListFacts, type ListReference } from './crl-entry-store.ts';
import type { CrlTables } from './crl-tables.ts';

export interface CrlFacts extends FullListFacts {
  /** Number of the base CRL. Defined only for a delta. */
  readonly baseNumber: number | undefined;
  readonly nextUpdate: Date;
  readonly bytes: number;
}

/** The current signed CRLs. */
export interface LatestCrls {
  readonly full: CrlFacts | undefined;
  /** The last full CRL that was not issued early; often the same as `full`. */
  readonly scheduled: CrlFacts | undefined;
  readonly delta: CrlFacts | undefined;
}

export interface ReservedCrl {
  readonly number: number;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  readonly entries: EntryList;
}

export interface CrlRequest {
  /** The authority or the CRL partition. */
  readonly ownerUuid: string;
  readonly now: Date;
  readonly validityMs: number;
}

/** Returns a CRL's encoding if it is in memory. */
export type CachedOctets = (ownerUuid: string, number: number) => Uint8Array | undefined;

interface CrlRow {
  readonly number: string;
  readonly base_number: string | null;
  readonly this_update: Date;
  readonly next_update: Date;
  readonly is_scheduled: boolean;
  readonly after_number: string | null;
  readonly after_this_update: Date | null;
  readonly bytes: number;
}

/** Number of bytes to read from a CRL in the database at a time. */
const SLICE_BYTES = 1024 * 1024;

export class CrlStore {
  private readonly storage: ConnectorStorage;
  private readonly kept: CachedOctets;
  private readonly tables: CrlTables;
  private readonly sequence: string;
  private readonly crl: string;
  private readonly revocation: string;
  private readonly entryStore: CrlEntryStore;

  constructor(storage: ConnectorStorage, kept: CachedOctets, tables: CrlTables) {
    this.storage = storage;
    this.kept = kept;
    this.tables = tables;
    this.sequence = storage.table(tables.sequence);
    this.crl = storage.table(tables.lists);
    this.revocation = storage.table('revocation');
    this.entryStore = new CrlEntryStore(storage, tables);
  }

  /** Assigns the next number and collects the entries for a full CRL. */
  reserveFull(request: CrlRequest & { readonly isScheduled: boolean }): Promise<ReservedCrl> {
    return this.storage.transaction(async (tx) => {
      const times = await this.takeNumber(tx, request);
      const { full, scheduled } = await this.findLatest(request.ownerUuid, tx);
      const after = scheduled && { number: scheduled.number, thisUpdate: scheduled.thisUpdate };
      const entries = await this.entryStore.entriesOfFull(tx, {
        ownerUuid: request.ownerUuid,
        number: times.number,
        after,
        last: full && { facts: full, der: await this.octetsOf(request.ownerUuid, full, tx) },
      });
      await this.insert(tx, { ...request, ...times, base: undefined, after });
      return { ...times, entries };
    });
  }

  /** Assigns the next number and collects the entries for a delta to the last scheduled CRL. */
  reserveDelta(request: CrlRequest & { readonly base: CrlFacts }): Promise<ReservedCrl> {
    return this.storage.transaction(async (tx) => {
      const times = await this.takeNumber(tx, request);
      const entries = await this.entryStore.entriesOfDelta(tx, { ...request, number: times.number });
      await this.insert(tx, { ...request, ...times, isScheduled: true, after: undefined });
      return { ...times, entries };
    });
  }

  /**
   * Numbers follow the clock in seconds and strictly increase: a database restored to an older state does not reuse a
   * published number. Times never decrease.
   */
  private async takeNumber(
    tx: ConnectorStorage,
    { ownerUuid, now, validityMs }: CrlRequest,
  ): Promise<{ number: number; thisUpdate: Date; nextUpdate: Date }> {
    const [row] = await tx.query<{ crl_number: string | number; crl_this_update: Date }>(
      `UPDATE ${this.sequence} SET crl_number = GREATEST(crl_number + 1, $2::bigint),
         crl_this_update = GREATEST(crl_this_update, $3::timestamptz)
       WHERE uuid = $1 RETURNING crl_number, crl_this_update`,
      [ownerUuid, Math.floor(now.getTime() / 1000), truncateToSecond(now)],
    );
    if (!row) throw new Error(`The ${this.tables.sequence} ${ownerUuid} no longer exists.`);
    const thisUpdate = row.crl_this_update;
    return { number: Number(row.crl_number), thisUpdate, nextUpdate: new Date(thisUpdate.getTime() + validityMs) };
  }

  private async insert(
    tx: ConnectorStorage,
    row: Omit<ReservedCrl, 'entries'> & {
      readonly ownerUuid: string;
      readonly base: { readonly number: number } | undefined;
      readonly isScheduled: boolean;
      readonly after: ListReference | undefined;
    },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO ${this.crl} (${this.tables.owner}, number, base_number, this_update, next_update, is_scheduled, after_number, after_this_update)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        row.ownerUuid,
        row.number,
        row.base?.number ?? null,
        row.thisUpdate,
        row.nextUpdate,
        row.isScheduled,
        row.after?.number ?? null,
        row.after?.thisUpdate ?? null,
      ],
    );
  }

  async findLatest(ownerUuid: string, on: ConnectorStorage = this.storage): Promise<LatestCrls> {
    const rows = await on.query<CrlRow>(
      `SELECT number, base_number, this_update, next_update, is_scheduled, after_number, after_this_update,
         octet_length(der) AS bytes
       FROM ${this.crl} WHERE ${this.tables.owner} = $1 AND der IS NOT NULL ORDER BY number DESC`,
      [ownerUuid],
    );
    const lists = rows.map(factsOf);
    return {
      full: lists.find(({ baseNumber }) => baseNumber === undefined),
      scheduled: lists.find(({ baseNumber, isScheduled }) => baseNumber === undefined && isScheduled),
      delta: lists.find(({ baseNumber }) => baseNumber !== undefined),
    };
  }

  /**
   * Returns a signed CRL's encoding, from memory or in slices. A single value would be transferred as text of twice its
   * length.
   */
  async octetsOf(
    ownerUuid: string,
    { number, bytes }: Pick<CrlFacts, 'number' | 'bytes'>,
    on: ConnectorStorage = this.storage,
  ): Promise<Uint8Array> {
    const known = this.kept(ownerUuid, number);
    if (known) return known;
    const slices: Uint8Array[] = [];
    for (let from = 1; from <= bytes; from += SLICE_BYTES) {
      const [row] = await on.query<{ slice: Uint8Array }>(
        `SELECT substring(der FROM $3 FOR $4) AS slice FROM ${this.crl} WHERE ${this.tables.owner} = $1 AND number = $2`,
        [ownerUuid, number, from, SLICE_BYTES],
      );
      if (!row) throw new Error(`CRL ${number} of ${this.tables.sequence} ${ownerUuid} was replaced in the meantime.`);
      slices.push(row.slice);
    }
    return concatBytes(slices);
  }

  /**
   * Expires CRLs that were issued while the clock was ahead, so that the next ones use the accepted clock and again
   * include every entry whose certificate has not expired by that clock.
   */
  async endFutureCrls(now: Date): Promise<void> {
    await this.storage.transaction(async (tx) => {
      const values = [truncateToSecond(now)];
      await tx.query(`UPDATE ${this.sequence} SET crl_this_update = $1 WHERE crl_this_update > $1`, values);
      await tx.query(`UPDATE ${this.crl} SET this_update = $1, next_update = $1 WHERE this_update > $1`, values);
    });
  }

  /** Stores a signed CRL. Older CRLs of the same type are deleted, except the one that deltas refer to. */
  async finish(
    ownerUuid: string,
    signed: {
      readonly number: number;
      readonly isDelta: boolean;
      readonly isScheduled: boolean;
      readonly der: Uint8Array;
    },
  ): Promise<void> {
    await this.storage.transaction(async (tx) => {
      await tx.query(`UPDATE ${this.crl} SET der = $3 WHERE ${this.tables.owner} = $1 AND number = $2`, [
        ownerUuid,
        signed.number,
        signed.der,
      ]);
      await tx.query(
        `DELETE FROM ${this.crl} WHERE ${this.tables.owner} = $1 AND number < $2 AND (base_number IS NOT NULL) = $3
           AND ($4 OR NOT is_scheduled OR der IS NULL)`,
        [ownerUuid, signed.number, signed.isDelta, signed.isScheduled],
      );
    });
  }

  /** Returns whether there are revocations that no full CRL contains. */
  async isOutdated(ownerUuid: string, full: { readonly number: number }): Promise<boolean> {
    const [row] = await this.storage.query<{ outdated: boolean }>(
      `SELECT EXISTS (SELECT FROM ${this.revocation} WHERE ${this.tables.owner} = $1 AND ${missingFromFull(this.tables.mark, '$2')}) AS outdated`,
      [ownerUuid, full.number],
    );
    return row?.outdated ?? false;
  }

  /** Returns whether there are revocations that neither a delta CRL nor its base contains. */
  async isDeltaOutdated(
    ownerUuid: string,
    delta: { readonly number: number; readonly baseNumber: number },
  ): Promise<boolean> {
    const [row] = await this.storage.query<{ outdated: boolean }>(
      `SELECT EXISTS (SELECT FROM ${this.revocation} WHERE ${this.tables.owner} = $1 AND ${missingFromFull(this.tables.mark, '$2')}
         AND (delta_crl_number IS NULL OR delta_crl_number > $3)) AS outdated`,
      [ownerUuid, delta.baseNumber, delta.number],
    );
    return row?.outdated ?? false;
  }
}

const truncateToSecond = (instant: Date): Date => new Date(Math.floor(instant.getTime() / 1000) * 1000);

const factsOf = (row: CrlRow): CrlFacts => ({
  number: Number(row.number),
  baseNumber: row.base_number === null ? undefined : Number(row.base_number),
  thisUpdate: row.this_update,
  nextUpdate: row.next_update,
  isScheduled: row.is_scheduled,
  after:
    row.after_number === null || row.after_this_update === null
      ? undefined
      : { number: Number(row.after_number), thisUpdate: row.after_this_update },
  bytes: row.bytes,
});
