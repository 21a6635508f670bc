// Database rows for CAs.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import type { CaSource } from '../attributes/authority-attributes.ts';

export interface AuthorityRow {
  readonly uuid: string;
  readonly name: string;
  readonly source: CaSource;
  /** Secrets and files are not stored. */
  readonly attributes: readonly RequestAttributeDto[];
  readonly signature_algorithm: string;
  /** Null if the key is in one of the host's tokens. */
  readonly sealed_key: Uint8Array | null;
  /** Identifier of the key in a token; null if the key is sealed here. */
  readonly token_key: string | null;
  /** Null while the authority is being created. */
  readonly certificate: Uint8Array | null;
  readonly chain: readonly Uint8Array[];
  readonly crl_validity_hours: number;
  readonly delta_crl_validity_hours: number;
  readonly revision: number;
  readonly created_at: Date;
}

export type NewAuthorityRow = Omit<AuthorityRow, 'revision'>;

const COLUMNS =
  'uuid, name, source, attributes, signature_algorithm, sealed_key, token_key, certificate, chain, crl_validity_hours, delta_crl_validity_hours, revision, created_at';

export class AuthorityStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('authority');
  }

  /** Returns an authority even if its creation was interrupted. */
  async find(uuid: string): Promise<AuthorityRow | undefined> {
    const [row] = await this.storage.query<AuthorityRow>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1 AND removed_at IS NULL`,
      [uuid],
    );
    return row;
  }

  /** Returns a usable authority's revision, for an inexpensive check for changes. */
  async findRevision(uuid: string): Promise<number | undefined> {
    const [row] = await this.storage.query<{ revision: number }>(
      `SELECT revision FROM ${this.table} WHERE uuid = $1 AND removed_at IS NULL AND certificate IS NOT NULL`,
      [uuid],
      { name: `${this.storage.schema}.authority_revision` },
    );
    return row?.revision;
  }

  findAll(): Promise<Pick<AuthorityRow, 'uuid' | 'name' | 'attributes'>[]> {
    return this.storage.query(
      `SELECT uuid, name, attributes FROM ${this.table}
       WHERE removed_at IS NULL AND certificate IS NOT NULL ORDER BY name, uuid`,
    );
  }

  /** Returns the name of the authority that signs with this key. */
  async findNameByTokenKey(tokenKey: string): Promise<string | undefined> {
    const [row] = await this.storage.query<{ name: string }>(
      `SELECT name FROM ${this.table} WHERE token_key = $1 AND certificate IS NOT NULL AND removed_at IS NULL`,
      [tokenKey],
    );
    return row?.name;
  }

  async findCertificates(): Promise<{ readonly uuid: string; readonly certificate: Uint8Array }[]> {
    const rows = await this.storage.query<{ uuid: string; certificate: Uint8Array }>(
      `SELECT uuid, certificate FROM ${this.table} WHERE removed_at IS NULL AND certificate IS NOT NULL`,
    );
    return rows.map((row) => ({ ...row, certificate: new Uint8Array(row.certificate) }));
  }

  /**
   * Replaces the authority's certificate, including in the chains of subordinate CAs. Has no effect if the certificate
   * was replaced in the meantime.
   */
  async replaceCertificate(
    uuid: string,
    change: {
      readonly replaced: Uint8Array;
      readonly certificate: Uint8Array;
      readonly chain: readonly Uint8Array[];
    },
  ): Promise<void> {
    await this.storage.query(
      `WITH own AS (
         UPDATE ${this.table} SET certificate = $3, chain = $4, revision = revision + 1
         WHERE uuid = $1 AND certificate = $2 RETURNING uuid)
       UPDATE ${this.table} SET chain = array_replace(chain, $2, $3), revision = revision + 1
       WHERE $2 = ANY (chain) AND EXISTS (SELECT FROM own)`,
      [uuid, change.replaced, change.certificate, change.chain],
    );
  }

  async insert(row: NewAuthorityRow): Promise<void> {
    await this.storage.query(
      `INSERT INTO ${this.table} (uuid, name, source, attributes, signature_algorithm, sealed_key, token_key, certificate,
         chain, crl_validity_hours, delta_crl_validity_hours, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        row.uuid,
        row.name,
        row.source,
        JSON.stringify(row.attributes),
        row.signature_algorithm,
        row.sealed_key,
        row.token_key,
        row.certificate,
        row.chain,
        row.crl_validity_hours,
        row.delta_crl_validity_hours,
        row.created_at,
      ],
    );
  }

  /** Stores the signed certificate, which makes the authority usable. */
  async finish(
    uuid: string,
    result: { readonly certificate: Uint8Array; readonly chain: readonly Uint8Array[] },
  ): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET certificate = $2, chain = $3, revision = revision + 1 WHERE uuid = $1 AND certificate IS NULL`,
      [uuid, result.certificate, result.chain],
    );
  }

  /** Deletes an authority that has no certificate. */
  async discard(uuid: string): Promise<void> {
    await this.storage.query(`DELETE FROM ${this.table} WHERE uuid = $1 AND certificate IS NULL`, [uuid]);
  }

  /** Returns whether a certificate was not stored because another authority signs with its key in a token. */
  isTaken(error: unknown): boolean {
    return error instanceof Error && 'constraint' in error && error.constraint === 'authority_token_key';
  }

  async update(
    row: Pick<AuthorityRow, 'uuid' | 'name' | 'attributes' | 'crl_validity_hours' | 'delta_crl_validity_hours'>,
  ): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET name = $2, attributes = $3, crl_validity_hours = $4, delta_crl_validity_hours = $5,
         revision = revision + 1
       WHERE uuid = $1 AND removed_at IS NULL`,
      [row.uuid, row.name, JSON.stringify(row.attributes), row.crl_validity_hours, row.delta_crl_validity_hours],
    );
  }

  /**
   * Returns false if the authority does not exist. The row with the sealed key is retained, so that an accidental
   * removal can be undone manually.
   */
  async remove(uuid: string, now: Date): Promise<boolean> {
    const rows = await this.storage.query(
      `UPDATE ${this.table} SET removed_at = $2, revision = revision + 1 WHERE uuid = $1 AND removed_at IS NULL RETURNING uuid`,
      [uuid, now],
    );
    return rows.length > 0;
  }
}
