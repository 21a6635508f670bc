// Database rows for end entities. The SQL statements themselves guard state changes: if no rows change, the state
// change was not possible.
import type { ConnectorStorage } from '@signetry/connector-sdk';
import type { EndEntityExtendedInfoDto, EndEntityStatus, RequestAttributeDto } from '@signetry/contract';
import type { z } from 'zod';
import type { CertificateProfileName } from './certificate-profiles.ts';

export interface EndEntityRow {
  readonly uuid: string;
  readonly authority_uuid: string;
  readonly profile: string;
  readonly username: string;
  readonly subject_dn: string;
  readonly alt_names: string | null;
  readonly email: string | null;
  readonly extension_data: readonly EndEntityExtendedInfoDto[];
  readonly certificate_profile: CertificateProfileName;
  readonly settings: readonly RequestAttributeDto[];
  readonly status: z.output<typeof EndEntityStatus>;
  readonly password: string | null;
  readonly enrollment_key: string | null;
}

/** End entity data provided by a caller. The password is stored as a hash. */
export type EndEntityFacts = Omit<EndEntityRow, 'uuid' | 'authority_uuid' | 'username' | 'enrollment_key'>;

/** Number of wrong passwords after which the password is invalidated. */
export const MAX_WRONG_PASSWORDS = 5;

const COLUMNS =
  'uuid, authority_uuid, profile, username, subject_dn, alt_names, email, extension_data, certificate_profile, settings, status, password, enrollment_key';

export class EndEntityStore {
  private readonly storage: ConnectorStorage;
  private readonly tables: Readonly<Record<'entity' | 'enrollment' | 'profiles' | 'issuance', string>>;

  constructor(storage: ConnectorStorage) {
    this.storage = storage;
    this.tables = {
      entity: storage.table('end_entity'),
      enrollment: storage.table('enrollment'),
      profiles: storage.table('end_entity_profiles'),
      issuance: storage.table('issuance'),
    };
  }

  /** Returns the end entity profiles as specified in the CA form. */
  async findProfiles(authorityUuid: string): Promise<string | undefined> {
    const [row] = await this.storage.query<{ definition: string }>(
      `SELECT definition FROM ${this.tables.profiles} WHERE authority_uuid = $1`,
      [authorityUuid],
    );
    return row?.definition;
  }

  async saveProfiles(authorityUuid: string, definition: string): Promise<void> {
    await this.storage.query(
      `INSERT INTO ${this.tables.profiles} (authority_uuid, definition) VALUES ($1, $2)
       ON CONFLICT (authority_uuid) DO UPDATE SET definition = EXCLUDED.definition`,
      [authorityUuid, definition],
    );
  }

  /** Returns the names of profiles under which end entities are registered. */
  async findUsedProfiles(authorityUuid: string): Promise<readonly string[]> {
    const rows = await this.storage.query<{ profile: string }>(
      `SELECT DISTINCT profile FROM ${this.tables.entity} WHERE authority_uuid = $1 ORDER BY profile`,
      [authorityUuid],
    );
    return rows.map(({ profile }) => profile);
  }

  findAll(authorityUuid: string, profile: string): Promise<EndEntityRow[]> {
    return this.storage.query(
      `SELECT ${COLUMNS} FROM ${this.tables.entity} WHERE authority_uuid = $1 AND profile = $2 ORDER BY username`,
      [authorityUuid, profile],
    );
  }

  async find(authorityUuid: string, profile: string, username: string): Promise<EndEntityRow | undefined> {
    const [row] = await this.storage.query<EndEntityRow>(
      `SELECT ${COLUMNS} FROM ${this.tables.entity} WHERE authority_uuid = $1 AND profile = $2 AND username = $3`,
      [authorityUuid, profile, username],
    );
    return row;
  }

  /** Returns false if the name is already taken. */
  async insert(
    entity: EndEntityFacts & Pick<EndEntityRow, 'uuid' | 'authority_uuid' | 'username'>,
    now: Date,
  ): Promise<boolean> {
    const rows = await this.storage.query(
      `INSERT INTO ${this.tables.entity} (uuid, authority_uuid, username, profile, subject_dn, alt_names, email, extension_data,
         certificate_profile, settings, status, password, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
       ON CONFLICT (authority_uuid, username) DO NOTHING RETURNING uuid`,
      [entity.uuid, entity.authority_uuid, entity.username, ...valuesOf(entity), now],
    );
    return rows.length > 0;
  }

  /** Returns false if the end entity no longer exists. Invalidates the password of an enrollment in progress. */
  async replace(uuid: string, facts: EndEntityFacts, now: Date): Promise<boolean> {
    const rows = await this.storage.query(
      `UPDATE ${this.tables.entity} SET profile = $2, subject_dn = $3, alt_names = $4, email = $5, extension_data = $6,
         certificate_profile = $7, settings = $8, status = $9, password = $10, wrong_passwords = 0, enrollment_key = NULL,
         updated_at = $11
       WHERE uuid = $1 RETURNING uuid`,
      [uuid, ...valuesOf(facts), now],
    );
    return rows.length > 0;
  }

  /** Invalidates the current password. */
  async forgetPassword(uuid: string, now: Date): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.tables.entity} SET status = 'INITIALIZED', password = NULL, wrong_passwords = 0, enrollment_key = NULL,
         updated_at = $2
       WHERE uuid = $1`,
      [uuid, now],
    );
  }

  async remove(uuid: string): Promise<void> {
    await this.storage.query(`DELETE FROM ${this.tables.entity} WHERE uuid = $1`, [uuid]);
  }

  /** Counts a wrong password; the last permitted attempt invalidates the password. */
  async countWrongPassword({ uuid, password }: EndEntityRow, now: Date): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.tables.entity} SET wrong_passwords = wrong_passwords + 1, updated_at = $4,
         status = CASE WHEN wrong_passwords + 1 >= $3 THEN 'FAILED' ELSE status END,
         password = CASE WHEN wrong_passwords + 1 >= $3 THEN NULL ELSE password END
       WHERE uuid = $1 AND password = $2`,
      [uuid, password, MAX_WRONG_PASSWORDS, now],
    );
  }

  /**
   * Reserves the password for one call and records the call's key. Returns false if a different call has reserved the
   * password, or if it was changed.
   */
  async claim({ uuid, password }: EndEntityRow, key: string, now: Date): Promise<boolean> {
    const rows = await this.storage.query(
      `WITH claimed AS (
         UPDATE ${this.tables.entity} SET status = 'IN_PROCESS', enrollment_key = $3, wrong_passwords = 0, updated_at = $4
         WHERE uuid = $1 AND password = $2 AND (status = 'NEW' OR (status = 'IN_PROCESS' AND enrollment_key = $3))
         RETURNING uuid)
       INSERT INTO ${this.tables.enrollment} (end_entity_uuid, key) SELECT uuid, $3 FROM claimed
       ON CONFLICT (end_entity_uuid, key) DO UPDATE SET key = EXCLUDED.key RETURNING key`,
      [uuid, password, key, now],
    );
    return rows.length > 0;
  }

  /** Releases the password unless a certificate was issued with it: a rejected request does not consume it. */
  async release({ uuid, authority_uuid: authority }: EndEntityRow, key: string, now: Date): Promise<void> {
    await this.storage.query(
      `WITH released AS (
         UPDATE ${this.tables.entity} SET status = 'NEW', enrollment_key = NULL, updated_at = $4
         WHERE uuid = $1 AND status = 'IN_PROCESS' AND enrollment_key = $3
           AND NOT EXISTS (SELECT FROM ${this.tables.issuance} WHERE authority_uuid = $2 AND idempotency_key = $3)
         RETURNING uuid)
       DELETE FROM ${this.tables.enrollment} WHERE key = $3 AND end_entity_uuid IN (SELECT uuid FROM released)`,
      [uuid, authority, key, now],
    );
  }

  /** Invalidates the password after the certificate was issued. */
  async complete({ uuid }: EndEntityRow, key: string, now: Date): Promise<void> {
    await this.storage.query(
      `UPDATE ${this.tables.entity} SET status = 'GENERATED', password = NULL, enrollment_key = NULL, updated_at = $3
       WHERE uuid = $1 AND status = 'IN_PROCESS' AND enrollment_key = $2`,
      [uuid, key, now],
    );
  }

  /** Returns the idempotency keys under which certificates were issued to the end entity. */
  async findEnrollmentKeys(uuid: string): Promise<readonly string[]> {
    const rows = await this.storage.query<{ key: string }>(
      `SELECT key FROM ${this.tables.enrollment} WHERE end_entity_uuid = $1`,
      [uuid],
    );
    return rows.map(({ key }) => key);
  }
}

const valuesOf = (facts: EndEntityFacts): readonly unknown[] => [
  facts.profile,
  facts.subject_dn,
  facts.alt_names,
  facts.email,
  JSON.stringify(facts.extension_data),
  facts.certificate_profile,
  JSON.stringify(facts.settings),
  facts.status,
  facts.password,
];
