// Tables for end entities, in addition to the CA's tables.
import type { ConnectorMigration } from '@signetry/connector-sdk';
import { migrations } from '../migrations.ts';

export const legacyMigrations: readonly ConnectorMigration[] = [
  ...migrations,
  {
    name: 'end-entities',
    sql: (schema) => `
      CREATE TABLE ${schema}.end_entity_profiles (
        authority_uuid uuid PRIMARY KEY,
        definition text NOT NULL
      );
      COMMENT ON TABLE ${schema}.end_entity_profiles IS 'End entity profiles of a CA, as its form has them';

      CREATE TABLE ${schema}.end_entity (
        uuid uuid PRIMARY KEY,
        authority_uuid uuid NOT NULL,
        profile text NOT NULL,
        username text NOT NULL,
        subject_dn text NOT NULL,
        alt_names text,
        email text,
        extension_data jsonb NOT NULL,
        certificate_profile text NOT NULL,
        settings jsonb NOT NULL,
        status text NOT NULL,
        password text,
        wrong_passwords integer NOT NULL DEFAULT 0,
        enrollment_key text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        UNIQUE (authority_uuid, username)
      );
      COMMENT ON COLUMN ${schema}.end_entity.settings IS 'Attributes of the RA profile under which it was registered, without secrets';
      COMMENT ON COLUMN ${schema}.end_entity.password IS 'Hash with its parameters; null when there is no password to enroll with';
      COMMENT ON COLUMN ${schema}.end_entity.enrollment_key IS 'The call that is using the password now';

      CREATE TABLE ${schema}.enrollment (
        end_entity_uuid uuid NOT NULL REFERENCES ${schema}.end_entity (uuid) ON DELETE CASCADE,
        key text NOT NULL,
        PRIMARY KEY (end_entity_uuid, key)
      );
      COMMENT ON TABLE ${schema}.enrollment IS 'Idempotency keys under which certificates were issued to end entities; committed before the CA key is used';`,
  },
];
