// Discoveries and their results, in the connector's schema.
import { randomUUID } from 'node:crypto';
import type { ConnectorStorage } from '../storage/storage.ts';
import type {
  DiscoveryOutcome,
  Counts,
  DiscoveryFacts,
  DiscoveryState,
  DiscoveryStep,
  FoundFacts,
  SeenCertificate,
} from './discovery-kind.ts';

export interface DiscoveryRow<Wish, Checkpoint> extends DiscoveryFacts<Wish, Checkpoint> {
  readonly uuid: string;
  readonly name: string;
  readonly status: DiscoveryState;
  readonly sealed_secrets: Uint8Array | null;
  readonly certificates: number;
}

export interface FoundRow<Sighting> extends FoundFacts<Sighting> {
  readonly uuid: string;
  readonly der: Uint8Array;
}

/** Steps that are stored together; `counts` and `problems` cover the whole discovery, including these steps. */
export interface Progress<Checkpoint, Sighting> {
  readonly steps: readonly DiscoveryStep<Checkpoint, Sighting>[];
  readonly counts: Counts;
  readonly problems: readonly string[];
}

const COLUMNS = 'uuid, name, wish, sealed_secrets, status, checkpoint, counts, problems, certificates, reason';
/** A process that has not renewed its lease on a discovery for this long is considered dead. */
const LEASE = "interval '30 seconds'";
/** Maximum number of stored sightings per certificate; further ones are only counted. */
const MAX_SIGHTINGS = 50;
/**
 * Retention period for discoveries that platforms forget. Platforms normally read results immediately and delete
 * discoveries themselves.
 */
const KEPT = "interval '30 days'";

export class DiscoveryStore<Wish, Checkpoint, Sighting> {
  private readonly storage: ConnectorStorage;
  private readonly table: string;
  private readonly found: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('discovery');
    this.found = storage.table('found_certificate');
  }

  /** Does nothing if the identifier already exists. */
  async insert(
    row: Pick<DiscoveryRow<Wish, Checkpoint>, 'uuid' | 'name' | 'wish' | 'checkpoint' | 'sealed_secrets'>,
    now: Date,
  ): Promise<void> {
    await this.storage.query(
      `INSERT INTO ${this.table} (uuid, name, wish, sealed_secrets, status, checkpoint, created_at)
       VALUES ($1, $2, $3, $4, 'inProgress', $5, $6) ON CONFLICT (uuid) DO NOTHING`,
      [row.uuid, row.name, JSON.stringify(row.wish), row.sealed_secrets, JSON.stringify(row.checkpoint), now],
    );
  }

  async find(uuid: string): Promise<DiscoveryRow<Wish, Checkpoint> | undefined> {
    const [row] = await this.storage.query<DiscoveryRow<Wish, Checkpoint>>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1`,
      [uuid],
    );
    return row;
  }

  /** Returns a page in order of discovery, which never changes. */
  findPage(
    uuid: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<FoundRow<Sighting>[]> {
    return this.storage.query<FoundRow<Sighting>>(
      `SELECT uuid, der, seen, sightings FROM ${this.found}
       WHERE discovery_uuid = $1 AND number > $2 AND number <= $3 ORDER BY number`,
      [uuid, offset, offset + limit],
    );
  }

  /** Returns false if the discovery does not exist. */
  async remove(uuid: string): Promise<boolean> {
    const rows = await this.storage.query(`DELETE FROM ${this.table} WHERE uuid = $1 RETURNING uuid`, [uuid]);
    return rows.length > 0;
  }

  async removeForgotten(): Promise<void> {
    await this.storage.query(`DELETE FROM ${this.table} WHERE ended_at < clock_timestamp() - ${KEPT}`);
  }

  /** Claims the oldest discovery that no process is working on. */
  async claim(owner: string): Promise<DiscoveryRow<Wish, Checkpoint> | undefined> {
    const [row] = await this.storage.query<DiscoveryRow<Wish, Checkpoint>>(
      `UPDATE ${this.table} SET owner = $1, owned_until = clock_timestamp() + ${LEASE}
       WHERE uuid = (SELECT uuid FROM ${this.table}
         WHERE status = 'inProgress' AND (owned_until IS NULL OR owned_until < clock_timestamp())
         ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${COLUMNS}`,
      [owner],
    );
    return row;
  }

  /** Releases the lease, so that another process can claim it immediately. */
  async release(uuid: string, owner: string): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET owner = NULL, owned_until = NULL WHERE uuid = $1 AND owner = $2`,
      [uuid, owner],
    );
  }

  /**
   * Stores the progress and the results up to it; without steps, only renews the lease. Returns false if the discovery
   * was deleted or belongs to a different process.
   */
  advance(uuid: string, owner: string, { steps, counts, problems }: Progress<Checkpoint, Sighting>): Promise<boolean> {
    const checkpoint = steps.at(-1)?.checkpoint;
    return this.storage.transaction(async (tx) => {
      const [row] = await tx.query<{ readonly certificates: number }>(
        `UPDATE ${this.table} SET checkpoint = coalesce($3, checkpoint), counts = $4, problems = $5,
           owned_until = clock_timestamp() + ${LEASE}
         WHERE uuid = $1 AND owner = $2 AND status = 'inProgress' RETURNING certificates`,
        [
          uuid,
          owner,
          checkpoint === undefined ? null : JSON.stringify(checkpoint),
          JSON.stringify(counts),
          JSON.stringify(problems),
        ],
      );
      if (!row) return false;
      const certificates = steps.flatMap((step) => step.certificates);
      if (certificates.length > 0) await this.addCertificates(tx, { uuid, known: row.certificates }, certificates);
      for (const { write } of steps) await write?.(tx);
      return true;
    });
  }

  async finish(uuid: string, owner: string, { status, reason, write }: DiscoveryOutcome): Promise<void> {
    await this.storage.transaction(async (tx) => {
      const rows = await tx.query(
        `UPDATE ${this.table} SET status = $3, reason = $4, sealed_secrets = NULL, ended_at = clock_timestamp(), owner = NULL,
           owned_until = NULL
         WHERE uuid = $1 AND owner = $2 AND status = 'inProgress' RETURNING uuid`,
        [uuid, owner, status, reason],
      );
      if (rows.length > 0) await write?.(tx);
    });
  }

  /** The discovery's row is locked, so numbers have no gaps. */
  private async addCertificates(
    tx: ConnectorStorage,
    discovery: { readonly uuid: string; readonly known: number },
    seen: readonly SeenCertificate<Sighting>[],
  ): Promise<void> {
    const merged = merge(seen);
    const rows = await tx.query<{ readonly fingerprint: string }>(
      `SELECT encode(fingerprint, 'hex') AS fingerprint FROM ${this.found}
       WHERE discovery_uuid = $1 AND fingerprint = ANY($2::bytea[])`,
      [discovery.uuid, [...merged.keys()].map((fingerprint) => Buffer.from(fingerprint, 'hex'))],
    );
    const known = new Set(rows.map(({ fingerprint }) => fingerprint));
    const all = [...merged.values()];
    await this.update(
      tx,
      discovery.uuid,
      all.filter(({ fingerprint }) => known.has(fingerprint)),
    );
    const news = all.filter(({ fingerprint }) => !known.has(fingerprint));
    if (news.length === 0) return;
    await this.insertNew(tx, discovery, news);
    await tx.query(`UPDATE ${this.table} SET certificates = certificates + $2 WHERE uuid = $1`, [
      discovery.uuid,
      news.length,
    ]);
  }

  private async insertNew(
    tx: ConnectorStorage,
    { uuid, known }: { readonly uuid: string; readonly known: number },
    news: readonly MergedCertificate<Sighting>[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO ${this.found} (discovery_uuid, number, uuid, fingerprint, der, seen, sightings)
       SELECT $1, number, certificate, fingerprint, der, seen, sightings::jsonb
       FROM unnest($2::int[], $3::uuid[], $4::bytea[], $5::bytea[], $6::int[], $7::text[])
         AS found (number, certificate, fingerprint, der, seen, sightings)`,
      [
        uuid,
        news.map((_, place) => known + place + 1),
        news.map(() => randomUUID()),
        news.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex')),
        news.map(({ der }) => Buffer.from(der)),
        news.map((each) => each.seen),
        news.map(({ sightings }) => JSON.stringify(sightings)),
      ],
    );
  }

  private async update(
    tx: ConnectorStorage,
    uuid: string,
    seen: readonly MergedCertificate<Sighting>[],
  ): Promise<void> {
    if (seen.length === 0) return;
    await tx.query(
      `UPDATE ${this.found} AS found SET seen = found.seen + again.seen,
         sightings = CASE WHEN jsonb_array_length(found.sightings) < ${MAX_SIGHTINGS}
           THEN found.sightings || again.sightings::jsonb ELSE found.sightings END
       FROM unnest($2::bytea[], $3::int[], $4::text[]) AS again (fingerprint, seen, sightings)
       WHERE found.discovery_uuid = $1 AND found.fingerprint = again.fingerprint`,
      [
        uuid,
        seen.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex')),
        seen.map((each) => each.seen),
        seen.map(({ sightings }) => JSON.stringify(sightings)),
      ],
    );
  }
}

interface MergedCertificate<Sighting> {
  readonly fingerprint: string;
  readonly der: Uint8Array;
  seen: number;
  readonly sightings: Sighting[];
}

/** Merges sightings, so that each certificate occurs once, in order of first sighting. */
function merge<Sighting>(seen: readonly SeenCertificate<Sighting>[]): Map<string, MergedCertificate<Sighting>> {
  const merged = new Map<string, MergedCertificate<Sighting>>();
  for (const { fingerprint, der, sighting } of seen) {
    const known: MergedCertificate<Sighting> = merged.get(fingerprint) ?? { fingerprint, der, seen: 0, sightings: [] };
    known.seen += 1;
    if (known.sightings.length < MAX_SIGHTINGS) known.sightings.push(sighting);
    merged.set(fingerprint, known);
  }
  return merged;
}
