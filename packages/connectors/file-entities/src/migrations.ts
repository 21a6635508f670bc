// The connector's table. The platform stores locations and sends them with each call.
import { idempotencyJournalMigration, type ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'entities',
    sql: (schema) => `
      CREATE TABLE ${schema}.entity (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        transport text NOT NULL CHECK (transport IN ('local', 'ssh')),
        directory text,
        host text,
        port integer,
        username text,
        host_key text,
        sealed_secrets bytea,
        created_at timestamptz NOT NULL,
        CHECK (CASE transport WHEN 'local' THEN directory IS NOT NULL
          ELSE host IS NOT NULL AND port IS NOT NULL AND username IS NOT NULL AND sealed_secrets IS NOT NULL END)
      );
      COMMENT ON TABLE ${schema}.entity IS 'Servers whose certificates are in files';
      COMMENT ON COLUMN ${schema}.entity.directory IS 'Name that the operator gave to a directory of this machine';
      COMMENT ON COLUMN ${schema}.entity.host_key IS 'Fingerprint of the SSH host key that was seen first, or given: SHA256:Base64';
      COMMENT ON COLUMN ${schema}.entity.sealed_secrets IS 'Password, private key and its passphrase as JSON, sealed';`,
  },
  idempotencyJournalMigration,
  {
    name: 'kinds',
    sql: (schema) => `
      ALTER TABLE ${schema}.entity
        ADD COLUMN kind text NOT NULL DEFAULT 'PEM' CHECK (kind IN ('PEM', 'Keystore'));
      COMMENT ON COLUMN ${schema}.entity.kind IS 'What its locations are: files in PEM, or key stores';`,
  },
];
