// The connector's tables. Signed data is recorded before it is signed and never changes: `issuance` and
// `issuance_signature` are append-only.
import { idempotencyJournalMigration, type ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'authorities-and-journal',
    sql: (schema) => `
      CREATE TABLE ${schema}.authority (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        source text NOT NULL CHECK (source IN ('root', 'subordinate', 'import')),
        attributes jsonb NOT NULL,
        signature_algorithm text NOT NULL,
        sealed_key bytea NOT NULL,
        certificate bytea,
        chain bytea[] NOT NULL DEFAULT '{}',
        crl_validity_hours integer NOT NULL,
        delta_crl_validity_hours integer NOT NULL,
        crl_number bigint NOT NULL DEFAULT 0,
        crl_this_update timestamptz,
        revision integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL,
        removed_at timestamptz
      );
      COMMENT ON TABLE ${schema}.authority IS 'CAs with their sealed keys; without a certificate while one is being created';
      COMMENT ON COLUMN ${schema}.authority.chain IS 'Certificates above the CA, its issuer first';

      CREATE TABLE ${schema}.issuance (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        authority_uuid uuid NOT NULL,
        serial bytea NOT NULL,
        idempotency_key text,
        operation text NOT NULL,
        request_digest bytea NOT NULL,
        key_fingerprint bytea NOT NULL,
        names_overridden boolean NOT NULL,
        expires_at timestamptz NOT NULL,
        prepared_at timestamptz NOT NULL,
        tbs_sha256 bytea NOT NULL,
        tbs bytea NOT NULL
      );
      COMMENT ON TABLE ${schema}.issuance IS 'Every certificate that a CA key was or is about to be used for; committed before the key is used';
      COMMENT ON COLUMN ${schema}.issuance.authority_uuid IS 'No foreign key: checking it would lock one authority row for all issuers';
      CREATE UNIQUE INDEX issuance_serial_key ON ${schema}.issuance (authority_uuid, serial);
      CREATE UNIQUE INDEX issuance_idempotency_key ON ${schema}.issuance (authority_uuid, idempotency_key)
        WHERE idempotency_key IS NOT NULL;

      CREATE TABLE ${schema}.issuance_signature (
        issuance_id bigint PRIMARY KEY,
        signature bytea NOT NULL
      );
      COMMENT ON TABLE ${schema}.issuance_signature IS 'The signature of an issuance: what makes it a certificate';

      CREATE TABLE ${schema}.revocation (
        authority_uuid uuid NOT NULL,
        serial bytea NOT NULL,
        reason text NOT NULL,
        revoked_at timestamptz NOT NULL,
        invalidity_at timestamptz,
        expires_at timestamptz NOT NULL,
        idempotency_key text,
        full_crl_number bigint,
        delta_crl_number bigint,
        PRIMARY KEY (authority_uuid, serial)
      );
      COMMENT ON TABLE ${schema}.revocation IS 'Revoked certificates';
      COMMENT ON COLUMN ${schema}.revocation.full_crl_number IS 'First full CRL that has the entry as it is; null while none has';
      COMMENT ON COLUMN ${schema}.revocation.delta_crl_number IS 'First delta CRL that has the entry as it is; null while none has';
      CREATE UNIQUE INDEX revocation_idempotency_key ON ${schema}.revocation (authority_uuid, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
      CREATE INDEX revocation_full_crl_number ON ${schema}.revocation (authority_uuid, full_crl_number);

      CREATE TABLE ${schema}.crl (
        authority_uuid uuid NOT NULL,
        number bigint NOT NULL,
        base_number bigint,
        this_update timestamptz NOT NULL,
        next_update timestamptz NOT NULL,
        der bytea,
        PRIMARY KEY (authority_uuid, number)
      );
      COMMENT ON TABLE ${schema}.crl IS 'The CRLs of a CA; base_number marks a delta CRL; der is null until the CRL is signed';`,
  },
  idempotencyJournalMigration,
  {
    // The previous version issued a full CRL after every revocation; its latest CRL is treated as the last scheduled
    // one.
    name: 'scheduled-crls',
    sql: (schema) => `
      ALTER TABLE ${schema}.crl ADD COLUMN is_scheduled boolean NOT NULL DEFAULT true;
      ALTER TABLE ${schema}.crl ADD COLUMN after_number bigint;
      ALTER TABLE ${schema}.crl ADD COLUMN after_this_update timestamptz;
      ALTER TABLE ${schema}.crl ALTER COLUMN der SET STORAGE EXTERNAL;
      COMMENT ON COLUMN ${schema}.crl.is_scheduled IS 'False for a full CRL made early because of a revocation; deltas refer to the last scheduled one';
      COMMENT ON COLUMN ${schema}.crl.after_number IS 'Number of the scheduled full CRL before: what of it had ended is not in this one';
      COMMENT ON COLUMN ${schema}.crl.after_this_update IS 'Time of that CRL';
      COMMENT ON COLUMN ${schema}.crl.der IS 'Read in slices; serial numbers are random, so compressing costs time and saves little';`,
  },
  {
    // Separate tables are required because the previous version treats every row of `crl` as a complete CRL.
    name: 'crl-shards',
    sql: (schema) => `
      CREATE TABLE ${schema}.crl_shard (
        uuid uuid PRIMARY KEY,
        authority_uuid uuid NOT NULL,
        shard integer NOT NULL,
        urls text[] NOT NULL,
        crl_number bigint NOT NULL DEFAULT 0,
        crl_this_update timestamptz,
        UNIQUE (authority_uuid, shard)
      );
      COMMENT ON TABLE ${schema}.crl_shard IS 'Distribution points of a CA that certificates name; a row is never removed';
      COMMENT ON COLUMN ${schema}.crl_shard.urls IS 'Every address that a certificate may have for it; committed before such a certificate is signed';

      CREATE TABLE ${schema}.shard_crl (
        shard_uuid uuid NOT NULL,
        number bigint NOT NULL,
        base_number bigint,
        this_update timestamptz NOT NULL,
        next_update timestamptz NOT NULL,
        is_scheduled boolean NOT NULL,
        after_number bigint,
        after_this_update timestamptz,
        der bytea,
        PRIMARY KEY (shard_uuid, number)
      );
      ALTER TABLE ${schema}.shard_crl ALTER COLUMN der SET STORAGE EXTERNAL;
      COMMENT ON TABLE ${schema}.shard_crl IS 'The CRLs of shards, with the columns of crl; no deltas of them are made';

      ALTER TABLE ${schema}.revocation ADD COLUMN shard_uuid uuid;
      ALTER TABLE ${schema}.revocation ADD COLUMN shard_crl_number bigint;
      COMMENT ON COLUMN ${schema}.revocation.shard_uuid IS 'The shard that the certificate names; null for one that names the complete list';
      COMMENT ON COLUMN ${schema}.revocation.shard_crl_number IS 'First CRL of the shard that has the entry as it is; null while none has';
      CREATE INDEX revocation_shard_serial ON ${schema}.revocation (shard_uuid, serial) WHERE shard_uuid IS NOT NULL;
      CREATE INDEX revocation_shard_crl_number ON ${schema}.revocation (shard_uuid, shard_crl_number)
        WHERE shard_uuid IS NOT NULL;`,
  },
  {
    name: 'keys-in-tokens',
    sql: (schema) => `
      ALTER TABLE ${schema}.authority ADD COLUMN token_key uuid;
      ALTER TABLE ${schema}.authority ALTER COLUMN sealed_key DROP NOT NULL;
      ALTER TABLE ${schema}.authority ADD CONSTRAINT authority_has_one_key
        CHECK ((sealed_key IS NULL) <> (token_key IS NULL));
      COMMENT ON COLUMN ${schema}.authority.token_key IS 'The key of the host that signs for the CA, in place of a sealed one';
      CREATE UNIQUE INDEX authority_token_key ON ${schema}.authority (token_key)
        WHERE certificate IS NOT NULL AND removed_at IS NULL;`,
  },
  {
    // A released certificate's row is retained: delta CRLs list the certificate as removed until their base no longer
    // contains it.
    name: 'released-holds',
    sql: (schema) => `
      ALTER TABLE ${schema}.revocation ADD COLUMN released_at timestamptz;
      COMMENT ON COLUMN ${schema}.revocation.released_at IS 'When the certificate was released from hold; it is not revoked then';`,
  },
];
