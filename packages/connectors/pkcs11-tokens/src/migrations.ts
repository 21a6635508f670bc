// The connector's tables. Keys stay in their tokens: `key` maps identifiers to token objects.
import type { ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'tokens-and-keys',
    sql: (schema) => `
      CREATE TABLE ${schema}.token (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        library text NOT NULL,
        serial text NOT NULL,
        label text NOT NULL,
        sealed_pin bytea,
        deactivations integer NOT NULL DEFAULT 0,
        pin_refused_at timestamptz,
        created_at timestamptz NOT NULL,
        UNIQUE (serial, label)
      );
      COMMENT ON TABLE ${schema}.token IS 'Tokens in use, known by serial number and label, because slots move';
      COMMENT ON COLUMN ${schema}.token.sealed_pin IS 'Only of a token that is to stay active across restarts';
      COMMENT ON COLUMN ${schema}.token.deactivations IS 'Number so far; a PIN that a node holds since before one is dropped';
      COMMENT ON COLUMN ${schema}.token.pin_refused_at IS 'When the token refused the stored PIN, which was dropped';

      CREATE TABLE ${schema}.key (
        token_uuid uuid NOT NULL REFERENCES ${schema}.token (uuid) ON DELETE CASCADE,
        uuid uuid NOT NULL,
        object_class integer NOT NULL,
        key_type bigint NOT NULL,
        cka_id bytea NOT NULL,
        label text NOT NULL,
        facts jsonb NOT NULL,
        spki bytea,
        PRIMARY KEY (token_uuid, uuid)
      );
      COMMENT ON TABLE ${schema}.key IS 'Objects of tokens by the identifiers that platforms know; no key material';`,
  },
];
