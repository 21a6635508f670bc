// Database rows for keys.
import type { ConnectorStorage } from '@signetry/connector-sdk';

export interface KeyRow {
  readonly uuid: string;
  readonly token_uuid: string;
  readonly association: string;
  readonly name: string;
  readonly type: 'Public' | 'Private' | 'Secret';
  readonly family: string;
  readonly specification: string;
  readonly bits: number;
  /** Present in both halves of a key pair. */
  readonly spki: Uint8Array | null;
  /** Whether the private key can be exported; never changed. */
  readonly exportable: boolean;
}

export interface KeyWithMaterial extends KeyRow {
  /** Encrypted with the token's data key; null for a public key. */
  readonly material: Uint8Array | null;
}

export interface NewKeyRow extends KeyWithMaterial {
  readonly created_at: Date;
}

export interface KeyReference {
  readonly token: string;
  readonly key: string;
}

const COLUMNS = 'uuid, token_uuid, association, name, type, family, specification, bits, spki, exportable';

export class KeyStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;
  private readonly tokens: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('token_key');
    this.tokens = storage.table('token');
  }

  findAll(token: string): Promise<KeyRow[]> {
    return this.storage.query<KeyRow>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE token_uuid = $1 ORDER BY created_at, name, type DESC`,
      [token],
    );
  }

  async find({ token, key }: KeyReference): Promise<KeyRow | undefined> {
    const [row] = await this.storage.query<KeyRow>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1 AND token_uuid = $2`,
      [key, token],
      { name: 'key_find' },
    );
    return row;
  }

  async findWithMaterial({ token, key }: KeyReference): Promise<KeyWithMaterial | undefined> {
    const [row] = await this.storage.query<KeyWithMaterial>(
      `SELECT ${COLUMNS}, material FROM ${this.table} WHERE uuid = $1 AND token_uuid = $2`,
      [key, token],
    );
    return row;
  }

  findTogether(token: string, association: string): Promise<KeyRow[]> {
    return this.storage.query<KeyRow>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE token_uuid = $1 AND association = $2`,
      [token, association],
    );
  }

  /**
   * Stores all keys of an association or none. Returns `gone` if the token does not exist, and `taken` if a different
   * key has the name. Storing the same keys again has no effect.
   */
  async insert(rows: readonly NewKeyRow[]): Promise<'stored' | 'gone' | 'taken'> {
    const [first] = rows;
    if (!first) return 'stored';
    return this.storage.transaction(async (tx) => {
      // Same check as the foreign key, but with a result instead of an error.
      const [token] = await tx.query(`SELECT FROM ${this.tokens} WHERE uuid = $1 FOR KEY SHARE`, [first.token_uuid]);
      if (!token) return 'gone';
      // Serializes key creation per token, so that the check for a free name is reliable.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`token names:${first.token_uuid}`]);
      const [known] = await tx.query(`SELECT FROM ${this.table} WHERE association = $1`, [first.association]);
      if (known) return 'stored';
      const types = rows.map(({ type }) => type === 'Public');
      const [taken] = await tx.query(
        `SELECT FROM ${this.table} WHERE token_uuid = $1 AND name = $2 AND (type = 'Public') = ANY ($3)`,
        [first.token_uuid, first.name, types],
      );
      if (taken) return 'taken';
      for (const row of rows)
        await tx.query(
          `INSERT INTO ${this.table} (${COLUMNS}, material, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          [
            row.uuid,
            row.token_uuid,
            row.association,
            row.name,
            row.type,
            row.family,
            row.specification,
            row.bits,
            row.spki,
            row.exportable,
            row.material,
            row.created_at,
          ],
        );
      return 'stored';
    });
  }

  /** Deletes a key and increments its token's version. Returns false if the key does not exist. */
  remove({ token, key }: KeyReference): Promise<boolean> {
    return this.storage.transaction(async (tx) => {
      await tx.query(`UPDATE ${this.tokens} SET revision = revision + 1 WHERE uuid = $1`, [token]);
      const rows = await tx.query(`DELETE FROM ${this.table} WHERE uuid = $1 AND token_uuid = $2 RETURNING uuid`, [
        key,
        token,
      ]);
      return rows.length > 0;
    });
  }

  async count(token: string): Promise<{ readonly pairs: number; readonly secrets: number }> {
    const [row] = await this.storage.query<{ pairs: number; secrets: number }>(
      `SELECT count(*) FILTER (WHERE type = 'Private')::int AS pairs,
         count(*) FILTER (WHERE type = 'Secret')::int AS secrets
       FROM ${this.table} WHERE token_uuid = $1`,
      [token],
    );
    return row ?? { pairs: 0, secrets: 0 };
  }
}
