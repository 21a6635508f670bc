// Log data that the connector stores in addition to the data that all discoveries have.
import { createHash } from 'node:crypto';
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { TreeHead } from '../log/trusted-tree.ts';
import type { Sighting } from './log-checkpoint.ts';

export interface FoundEntry {
  readonly identity: string;
  readonly entry: number;
  /** Present for a precertificate whose certificate has not been found yet. */
  readonly waiting?: { readonly der: Uint8Array; readonly sighting: Sighting } | undefined;
}

export interface PendingRow {
  readonly entry: number;
  readonly precertificate: Uint8Array;
  readonly sighting: Sighting;
}

export interface Position extends TreeHead {
  readonly nextEntry: number;
}

export interface LogName {
  readonly url: string;
  readonly domains: readonly string[];
}

/** Hashed because the concatenated domains can be too long for a database key. */
const digestOf = (domains: readonly string[]): Buffer => createHash('sha256').update(domains.join(' ')).digest();

interface PositionRow {
  readonly size: string;
  readonly root: string;
  readonly next_entry: string;
}

const positionOf = ({ size, root, next_entry: next }: PositionRow): Position => ({
  size: Number(size),
  root,
  nextEntry: Number(next),
});

/** Runs in the transaction of the step that found them. */
export async function addFoundEntries(
  tx: ConnectorStorage,
  discovery: string,
  met: readonly FoundEntry[],
): Promise<void> {
  // One statement per entry: a log may contain a certificate twice, and a statement can change a row only once.
  for (const { identity, entry, waiting } of met)
    await tx.query(
      `INSERT INTO ${tx.table('logged_certificate')} AS known (discovery_uuid, identity, entry, precertificate, sighting)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (discovery_uuid, identity) DO UPDATE SET precertificate = NULL, sighting = NULL
         WHERE excluded.precertificate IS NULL`,
      [
        discovery,
        Buffer.from(identity, 'hex'),
        entry,
        waiting ? Buffer.from(waiting.der) : null,
        waiting ? JSON.stringify(waiting.sighting) : null,
      ],
    );
}

/** Returns precertificates after the given entry whose certificates were not found. */
export async function findPending(
  storage: ConnectorStorage,
  discovery: string,
  { behind, limit }: { readonly behind: number; readonly limit: number },
): Promise<PendingRow[]> {
  const rows = await storage.query<Omit<PendingRow, 'entry'> & { readonly entry: string }>(
    `SELECT entry, precertificate, sighting FROM ${storage.table('logged_certificate')}
     WHERE discovery_uuid = $1 AND precertificate IS NOT NULL AND entry > $2 ORDER BY entry LIMIT $3`,
    [discovery, behind, limit],
  );
  return rows.map((row) => ({ ...row, entry: Number(row.entry) }));
}

export async function removeFoundEntries(tx: ConnectorStorage, discovery: string): Promise<void> {
  await tx.query(`DELETE FROM ${tx.table('logged_certificate')} WHERE discovery_uuid = $1`, [discovery]);
}

export async function findPosition(
  storage: ConnectorStorage,
  { url, domains }: LogName,
): Promise<Position | undefined> {
  const [row] = await storage.query<PositionRow>(
    `SELECT size, root, next_entry FROM ${storage.table('log_position')} WHERE log = $1 AND domains_digest = $2`,
    [url, digestOf(domains)],
  );
  return row && positionOf(row);
}

/** Returns the largest tree that any discovery of this log has seen. */
export async function findLargest(storage: ConnectorStorage, url: string): Promise<TreeHead | undefined> {
  const [row] = await storage.query<PositionRow>(
    `SELECT size, root, next_entry FROM ${storage.table('log_position')} WHERE log = $1 ORDER BY size DESC LIMIT 1`,
    [url],
  );
  return row && positionOf(row);
}

/** Never moves the position backward, because discoveries of the same log can finish in any order. */
export async function savePosition(tx: ConnectorStorage, { url, domains }: LogName, position: Position): Promise<void> {
  await tx.query(
    `INSERT INTO ${tx.table('log_position')} AS known (log, domains_digest, size, root, next_entry)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (log, domains_digest) DO UPDATE SET size = excluded.size, root = excluded.root,
       next_entry = greatest(known.next_entry, excluded.next_entry)
       WHERE excluded.size >= known.size`,
    [url, digestOf(domains), position.size, position.root, position.nextEntry],
  );
}
