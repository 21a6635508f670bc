// Entity rows in the database.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { Kind } from '../declaration.ts';
import { isUuid } from '../problems.ts';

export type EntityRow = EntityName & (LocalColumns | SshColumns);

interface EntityName {
  readonly uuid: string;
  readonly kind: Kind;
  readonly name: string;
}

interface LocalColumns {
  readonly transport: 'local';
  readonly directory: string;
}

interface SshColumns {
  readonly transport: 'ssh';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  /** Host key fingerprint; null until the host is first reached. */
  readonly host_key: string | null;
  readonly sealed_secrets: Uint8Array;
}

const COLUMNS = 'uuid, kind, name, transport, directory, host, port, username, host_key, sealed_secrets';

export class EntityStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('entity');
  }

  async find(uuid: string): Promise<EntityRow | undefined> {
    if (!isUuid(uuid)) return undefined;
    const [row] = await this.storage.query<EntityRow>(`SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1`, [uuid]);
    return row;
  }

  findAll(): Promise<EntityRow[]> {
    return this.storage.query<EntityRow>(`SELECT ${COLUMNS} FROM ${this.table} ORDER BY name, uuid`);
  }

  /** Does nothing if an entity with this identifier exists. */
  async insert(row: EntityRow, createdAt: Date): Promise<void> {
    await this.storage.query(
      `INSERT INTO ${this.table} (${COLUMNS}, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (uuid) DO NOTHING`,
      [...valuesOf(row), createdAt],
    );
  }

  async update(row: EntityRow): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.table} SET name = $3, transport = $4, directory = $5, host = $6, port = $7, username = $8,
         host_key = $9, sealed_secrets = $10
       WHERE uuid = $1 AND kind = $2`,
      valuesOf(row),
    );
  }

  /** Stores the fingerprint unless one is already stored; returns the stored one. */
  async pinHostKey(uuid: string, fingerprint: string): Promise<string> {
    const [row] = await this.storage.query<{ host_key: string }>(
      `UPDATE ${this.table} SET host_key = coalesce(host_key, $2) WHERE uuid = $1 RETURNING host_key`,
      [uuid, fingerprint],
    );
    return row?.host_key ?? fingerprint;
  }

  async remove(uuid: string): Promise<void> {
    if (isUuid(uuid)) await this.storage.query(`DELETE FROM ${this.table} WHERE uuid = $1`, [uuid]);
  }
}

function valuesOf(row: EntityRow): unknown[] {
  const { uuid, kind, name, transport } = row;
  return transport === 'local'
    ? [uuid, kind, name, transport, row.directory, null, null, null, null, null]
    : [uuid, kind, name, transport, null, row.host, row.port, row.username, row.host_key, row.sealed_secrets];
}
