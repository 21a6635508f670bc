// Rows of notification instances.
import type { RequestAttributeDto } from '@signetry/contract';
import type { ConnectorStorage } from '../storage/storage.ts';

export interface InstanceRow {
  readonly uuid: string;
  readonly name: string;
  /** Values that can be shown. */
  readonly attributes: readonly RequestAttributeDto[];
  readonly sealed_secrets: Uint8Array | null;
  readonly version: number;
}

const COLUMNS = 'uuid, name, attributes, sealed_secrets, version';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export class InstanceStore {
  private readonly storage: ConnectorStorage;
  private readonly table: string;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.table = storage.table('notification_instance');
  }

  async find(uuid: string): Promise<InstanceRow | undefined> {
    if (!UUID.test(uuid)) return undefined;
    const [row] = await this.storage.query<InstanceRow>(
      `SELECT ${COLUMNS} FROM ${this.table} WHERE uuid = $1`,
      [uuid],
      { name: 'notification_instance_find' },
    );
    return row;
  }

  findAll(): Promise<InstanceRow[]> {
    return this.storage.query<InstanceRow>(`SELECT ${COLUMNS} FROM ${this.table} ORDER BY name, uuid`);
  }

  /** Leaves an existing instance with this identifier unchanged. */
  async insert({ uuid, name, attributes, sealed_secrets }: Omit<InstanceRow, 'version'>, now: Date): Promise<void> {
    await this.storage.query(
      `INSERT INTO ${this.table} (uuid, name, attributes, sealed_secrets, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (uuid) DO NOTHING`,
      [uuid, name, JSON.stringify(attributes), sealed_secrets, now],
    );
  }

  /** Returns the updated row; undefined if it was removed in the meantime. */
  async update({
    uuid,
    name,
    attributes,
    sealed_secrets,
  }: Omit<InstanceRow, 'version'>): Promise<InstanceRow | undefined> {
    const [row] = await this.storage.query<InstanceRow>(
      `UPDATE ${this.table} SET name = $2, attributes = $3, sealed_secrets = $4, version = version + 1
       WHERE uuid = $1 RETURNING ${COLUMNS}`,
      [uuid, name, JSON.stringify(attributes), sealed_secrets],
    );
    return row;
  }

  async remove(uuid: string): Promise<void> {
    if (UUID.test(uuid)) await this.storage.query(`DELETE FROM ${this.table} WHERE uuid = $1`, [uuid]);
  }
}
