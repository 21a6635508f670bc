// Database rows for tokens.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import { isUuid } from '../uuid.ts';

export interface TokenRow {
  readonly uuid: string;
  readonly name: string;
  /** Name of the library in the operator's configuration. */
  readonly library: string;
  readonly serial: string;
  readonly label: string;
  /** Null if the PIN is only in memory or the token is not active. */
  readonly sealed_pin: Uint8Array | null;
  /** Number of deactivations so far. A PIN from before the last one is no longer used. */
  readonly deactivations: number;
  readonly pin_refused_at: Date | null;
}

const COLUMNS = 'uuid, name, library, serial, label, sealed_pin, deactivations, pin_refused_at';

export class TokenStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('token');
  }

  async find(uuid: string): Promise<TokenRow | undefined> {
    if (!isUuid(uuid)) return undefined;
    const [row] = await this.storage.query<TokenRow>(`SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1`, [uuid]);
    return row;
  }

  findAll(): Promise<TokenRow[]> {
    return this.storage.query(`SELECT ${COLUMNS} FROM ${this.table} ORDER BY name, uuid`);
  }

  async ping(): Promise<void> {
    await this.storage.query(`SELECT FROM ${this.table} LIMIT 1`);
  }

  /** Returns the name of the existing token for the same hardware, or undefined if the row was inserted. */
  async insert(
    row: Pick<TokenRow, 'uuid' | 'name' | 'library' | 'serial' | 'label'> & { readonly created_at: Date },
  ): Promise<string | undefined> {
    const inserted = await this.storage.query(
      `INSERT INTO ${this.table} (uuid, name, library, serial, label, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (serial, label) DO NOTHING RETURNING uuid`,
      [row.uuid, row.name, row.library, row.serial, row.label, row.created_at],
    );
    if (inserted.length > 0) return undefined;
    const [present] = await this.storage.query<{ name: string }>(
      `SELECT name FROM ${this.table} WHERE serial = $1 AND label = $2`,
      [row.serial, row.label],
    );
    return present?.name ?? row.label;
  }

  async update(uuid: string, { name, library }: Pick<TokenRow, 'name' | 'library'>): Promise<void> {
    await this.storage.query(`UPDATE ${this.table} SET name = $2, library = $3 WHERE uuid = $1`, [uuid, name, library]);
  }

  /** Returns the number of deactivations so far. */
  async activate(uuid: string, sealedPin: Uint8Array | undefined): Promise<number> {
    const [row] = await this.storage.query<{ deactivations: number }>(
      `UPDATE ${this.table} SET sealed_pin = $2, pin_refused_at = NULL
       WHERE uuid = $1 RETURNING deactivations`,
      [uuid, sealedPin ?? null],
    );
    return row?.deactivations ?? 0;
  }

  /** Sets whether an active token stays active across restarts. */
  async keepPin(uuid: string, sealedPin: Uint8Array | undefined): Promise<void> {
    await this.storage.query(`UPDATE ${this.table} SET sealed_pin = $2 WHERE uuid = $1`, [uuid, sealedPin ?? null]);
  }

  async deactivate(uuid: string, refusedAt?: Date): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET deactivations = deactivations + 1, sealed_pin = NULL, pin_refused_at = $2 WHERE uuid = $1`,
      [uuid, refusedAt ?? null],
    );
  }

  async remove(uuid: string): Promise<void> {
    await this.storage.query(`DELETE FROM ${this.table} WHERE uuid = $1`, [uuid]);
  }

  /** Lets only one node at a time use a stored PIN, so that each node sees the previous node's result. */
  locked<Result>(
    uuid: string,
    work: (row: TokenRow, store: TokenStore) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.storage.transaction(async (tx) => {
      const [row] = await tx.query<TokenRow>(`SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1 FOR UPDATE`, [uuid]);
      return row && work(row, new TokenStore(tx));
    });
  }
}
