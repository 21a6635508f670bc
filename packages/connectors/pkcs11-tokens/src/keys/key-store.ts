// Database rows for keys. They map identifiers to token objects.
import type { ConnectorStorage, KeyFacts } from '@signetry/connector-sdk';
import { isUuid } from '../uuid.ts';

export interface KeyRow {
  readonly token_uuid: string;
  readonly uuid: string;
  /** CKA_CLASS. */
  readonly object_class: number;
  /** CKA_KEY_TYPE. */
  readonly key_type: number;
  readonly cka_id: Uint8Array;
  readonly label: string;
  readonly facts: KeyFacts;
  /** Null for secret keys, and for private keys whose public key is unknown. */
  readonly spki: Uint8Array | null;
}

const COLUMNS = 'token_uuid, uuid, object_class, key_type, cka_id, label, facts, spki';

export class KeyStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('key');
  }

  async find(tokenUuid: string, uuid: string): Promise<KeyRow | undefined> {
    if (!isUuid(uuid)) return undefined;
    const [row] = await this.storage.query<KeyRow & { key_type: string }>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE token_uuid = $1 AND uuid = $2`,
      [tokenUuid, uuid],
    );
    return row && { ...row, key_type: Number(row.key_type) };
  }

  /** Inserts new keys, and updates existing ones with what the token currently reports. */
  async put(rows: readonly KeyRow[]): Promise<void> {
    if (rows.length === 0) return;
    const column = <Name extends keyof KeyRow>(name: Name) => rows.map((row) => row[name]);
    await this.storage.query(
      `INSERT INTO ${this.table} (${COLUMNS})
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[], $5::bytea[], $6::text[], $7::jsonb[],
         $8::bytea[])
       ON CONFLICT (token_uuid, uuid) DO UPDATE SET label = excluded.label, facts = excluded.facts,
         spki = coalesce(excluded.spki, ${this.table}.spki)`,
      [
        column('token_uuid'),
        column('uuid'),
        column('object_class'),
        column('key_type'),
        column('cka_id'),
        column('label'),
        column('facts').map((facts) => JSON.stringify(facts)),
        column('spki'),
      ],
    );
  }

  async remove(tokenUuid: string, uuid: string): Promise<void> {
    await this.storage.query(`DELETE FROM ${this.table} WHERE token_uuid = $1 AND uuid = $2`, [tokenUuid, uuid]);
  }
}
