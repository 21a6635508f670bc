// The connector's tables. Key material is stored only in `token_key`, and can be decrypted only with the token's data
// key, which is stored only in sealed form.
import { idempotencyJournalMigration, type ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'tokens-and-keys',
    sql: (schema) => `
      CREATE TABLE ${schema}.token (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        allows_import boolean NOT NULL,
        stays_active boolean NOT NULL,
        code_salt bytea NOT NULL,
        code_cost integer NOT NULL,
        code_block_size integer NOT NULL,
        code_parallelization integer NOT NULL,
        sealed_data_key bytea NOT NULL,
        sealed_unattended_key bytea,
        wrong_codes integer NOT NULL DEFAULT 0,
        locked_until timestamptz,
        revision bigint NOT NULL DEFAULT 1,
        deactivations bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL
      );
      COMMENT ON TABLE ${schema}.token IS 'Tokens with the keys that encrypt their keys';
      COMMENT ON COLUMN ${schema}.token.code_cost IS 'N of scrypt (RFC 7914); the other parameters follow';
      COMMENT ON COLUMN ${schema}.token.sealed_data_key IS 'The data key, encrypted under a key that scrypt derives from the activation code, then sealed';
      COMMENT ON COLUMN ${schema}.token.sealed_unattended_key IS 'The data key, sealed only: there while a token that stays active across restarts is active';
      COMMENT ON COLUMN ${schema}.token.wrong_codes IS 'Since the last right one; the attempt under way is counted beforehand';
      COMMENT ON COLUMN ${schema}.token.revision IS 'Rises when a key is destroyed: what processes have in memory is not to be used without a look here';
      COMMENT ON COLUMN ${schema}.token.deactivations IS 'Rises when the token is deactivated: all processes forget the data key';

      CREATE TABLE ${schema}.token_key (
        uuid uuid PRIMARY KEY,
        token_uuid uuid NOT NULL REFERENCES ${schema}.token ON DELETE CASCADE,
        association uuid NOT NULL,
        name text NOT NULL,
        type text NOT NULL CHECK (type IN ('Public', 'Private', 'Secret')),
        family text NOT NULL,
        specification text NOT NULL,
        bits integer NOT NULL,
        spki bytea CHECK ((spki IS NULL) = (type = 'Secret')),
        material bytea CHECK ((material IS NULL) = (type = 'Public')),
        created_at timestamptz NOT NULL
      );
      COMMENT ON TABLE ${schema}.token_key IS 'Keys; the two halves of a pair are rows of their own with one association';
      COMMENT ON COLUMN ${schema}.token_key.material IS 'PKCS#8 or the octets of a secret, encrypted with the data key of the token (AES-256-GCM)';
      CREATE UNIQUE INDEX token_key_name ON ${schema}.token_key (token_uuid, name, (type = 'Public'));

      CREATE TABLE ${schema}.token_user (
        token_uuid uuid NOT NULL REFERENCES ${schema}.token ON DELETE CASCADE,
        process_uuid uuid NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (token_uuid, process_uuid)
      );
      COMMENT ON TABLE ${schema}.token_user IS 'Processes that may have keys of a token in memory: who destroys one waits for them';`,
  },
  idempotencyJournalMigration,
  {
    name: 'exportable-keys',
    sql: (schema) => `
      ALTER TABLE ${schema}.token_key ADD COLUMN exportable boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN ${schema}.token_key.exportable IS 'Specified when the key is created; never changed';`,
  },
];
