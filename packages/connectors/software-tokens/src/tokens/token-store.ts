// Database rows for tokens and for the processes that use them.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { CodeColumns } from './activation-code.ts';

export interface TokenRow extends CodeColumns {
  readonly uuid: string;
  readonly name: string;
  readonly allows_import: boolean;
  readonly stays_active: boolean;
  readonly sealed_unattended_key: Uint8Array | null;
  readonly wrong_codes: number;
  readonly locked_until: Date | null;
  /** Numbers as text, regardless of how the pool parses bigint. */
  readonly revision: string;
  readonly deactivations: string;
}

export type NewTokenRow = Omit<TokenRow, 'wrong_codes' | 'locked_until' | 'revision' | 'deactivations'> & {
  readonly created_at: Date;
};

/** Version that a process compares with its state in memory. */
export type TokenVersion = Pick<TokenRow, 'revision' | 'deactivations'>;

/** Changeable properties of a token; absent ones stay unchanged. */
export interface TokenChange {
  readonly name: string;
  readonly allowsImport?: boolean | undefined;
  readonly staysActive?: boolean | undefined;
  readonly code?: CodeColumns | undefined;
}

const COLUMNS = `uuid, name, allows_import, stays_active, code_salt, code_cost, code_block_size, code_parallelization,
  sealed_data_key, sealed_unattended_key, wrong_codes, locked_until, revision::text, deactivations::text`;

/**
 * Processes seen within this interval may have keys in memory. Much longer than a lease, because clocks can be
 * adjusted.
 */
const SEEN_LATELY = "interval '1 minute'";

export class TokenStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;
  private readonly users: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('token');
    this.users = storage.table('token_user');
  }

  async find(uuid: string): Promise<TokenRow | undefined> {
    const [row] = await this.storage.query<TokenRow>(`SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1`, [uuid]);
    return row;
  }

  findAll(): Promise<TokenRow[]> {
    return this.storage.query<TokenRow>(`SELECT ${COLUMNS} FROM ${this.table} ORDER BY name, uuid`);
  }

  /** Returns false if a token with this identifier exists. */
  async insert(row: NewTokenRow): Promise<boolean> {
    const rows = await this.storage.query(
      `INSERT INTO ${this.table} (uuid, name, allows_import, stays_active, code_salt, code_cost, code_block_size,
         code_parallelization, sealed_data_key, sealed_unattended_key, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (uuid) DO NOTHING
       RETURNING uuid`,
      [
        row.uuid,
        row.name,
        row.allows_import,
        row.stays_active,
        row.code_salt,
        row.code_cost,
        row.code_block_size,
        row.code_parallelization,
        row.sealed_data_key,
        row.sealed_unattended_key,
        row.created_at,
      ],
    );
    return rows.length > 0;
  }

  async update(uuid: string, { name, allowsImport, staysActive, code }: TokenChange): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET name = $2, allows_import = coalesce($3, allows_import),
         stays_active = coalesce($4, stays_active),
         sealed_unattended_key = CASE WHEN $4 = false THEN NULL ELSE sealed_unattended_key END,
         code_salt = coalesce($5, code_salt), code_cost = coalesce($6, code_cost),
         code_block_size = coalesce($7, code_block_size),
         code_parallelization = coalesce($8, code_parallelization), sealed_data_key = coalesce($9, sealed_data_key)
       WHERE uuid = $1`,
      [
        uuid,
        name,
        allowsImport ?? null,
        staysActive ?? null,
        code?.code_salt ?? null,
        code?.code_cost ?? null,
        code?.code_block_size ?? null,
        code?.code_parallelization ?? null,
        code?.sealed_data_key ?? null,
      ],
    );
  }

  /** Has no effect if the token does not stay active or was deactivated in the meantime. */
  async keepActive(
    uuid: string,
    { deactivations }: Pick<TokenRow, 'deactivations'>,
    sealed: Uint8Array,
  ): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET sealed_unattended_key = $3
       WHERE uuid = $1 AND deactivations = $2::bigint AND stays_active`,
      [uuid, deactivations, sealed],
    );
  }

  /** Returns false if the token does not exist. */
  async deactivate(uuid: string): Promise<boolean> {
    const rows = await this.storage.query(
      `UPDATE ${this.table} SET sealed_unattended_key = NULL, deactivations = deactivations + 1
       WHERE uuid = $1 RETURNING uuid`,
      [uuid],
    );
    return rows.length > 0;
  }

  /** Counts an attempt before it is made, atomically with `decide`, so that parallel guesses provide no advantage. */
  countAttempt(
    uuid: string,
    decide: (row: TokenRow) => { readonly wrongCodes: number; readonly lockedUntil: Date | null },
  ): Promise<TokenRow | undefined> {
    return this.storage.transaction(async (tx) => {
      const [row] = await tx.query<TokenRow>(`SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1 FOR UPDATE`, [uuid]);
      if (!row) return undefined;
      const { wrongCodes, lockedUntil } = decide(row);
      await tx.query(`UPDATE ${this.table} SET wrong_codes = $2, locked_until = $3 WHERE uuid = $1`, [
        uuid,
        wrongCodes,
        lockedUntil,
      ]);
      return row;
    });
  }

  async forgetWrongCodes(uuid: string): Promise<void> {
    await this.storage.query(`UPDATE ${this.table} SET wrong_codes = 0, locked_until = NULL WHERE uuid = $1`, [uuid]);
  }

  /**
   * Removes the token with its keys. Returns undefined if it does not exist, otherwise whether other processes may
   * still have its keys.
   */
  remove(uuid: string, process: string): Promise<{ readonly isUsedElsewhere: boolean } | undefined> {
    return this.storage.transaction(async (tx) => {
      const [row] = await tx.query(`SELECT FROM ${this.table} WHERE uuid = $1 FOR UPDATE`, [uuid]);
      if (!row) return undefined;
      const others = await this.findUsers(tx, uuid, process);
      await tx.query(`DELETE FROM ${this.table} WHERE uuid = $1`, [uuid]);
      return { isUsedElsewhere: others };
    });
  }

  /**
   * Records that a process uses the token, and returns the token's version. The row lock orders this record and the
   * destruction of a key: either this process sees the destruction, or the destroying process sees this one.
   */
  async renew(uuid: string, process: string): Promise<TokenVersion | undefined> {
    const [row] = await this.storage.query<TokenVersion>(
      `WITH held AS (SELECT uuid, revision, deactivations FROM ${this.table} WHERE uuid = $1 FOR SHARE),
         seen AS (
           INSERT INTO ${this.users} (token_uuid, process_uuid, seen_at) SELECT uuid, $2, clock_timestamp() FROM held
           ON CONFLICT (token_uuid, process_uuid) DO UPDATE SET seen_at = excluded.seen_at)
       SELECT revision::text, deactivations::text FROM held`,
      [uuid, process],
      { name: 'token_renew' },
    );
    return row;
  }

  /** Returns whether a different process may have the token's keys in memory. */
  isUsedElsewhere(uuid: string, process: string): Promise<boolean> {
    return this.findUsers(this.storage, uuid, process);
  }

  /** Removes processes that ended long ago. */
  async forgetUsers(uuid: string): Promise<void> {
    await this.storage.query(
      `DELETE FROM ${this.users} WHERE token_uuid = $1 AND seen_at < clock_timestamp() - interval '1 day'`,
      [uuid],
    );
  }

  private async findUsers(storage: ConnectorStorage, uuid: string, except: string): Promise<boolean> {
    const rows = await storage.query(
      `SELECT FROM ${this.users} WHERE token_uuid = $1 AND process_uuid <> $2
         AND seen_at > clock_timestamp() - ${SEEN_LATELY} LIMIT 1`,
      [uuid, except],
    );
    return rows.length > 0;
  }
}
