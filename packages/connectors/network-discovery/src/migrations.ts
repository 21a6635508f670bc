// The connector's tables, migrated to the tables that the discovery part of the SDK manages.
import { idempotencyJournalMigration, type ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'discoveries',
    sql: (schema) => `
      CREATE TABLE ${schema}.discovery (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        wish jsonb NOT NULL,
        status text NOT NULL CHECK (status IN ('inProgress', 'completed', 'warning', 'failed')),
        total_targets integer NOT NULL,
        next_target integer NOT NULL DEFAULT 0,
        outcomes jsonb NOT NULL DEFAULT '{}',
        certificates integer NOT NULL DEFAULT 0,
        reason text,
        owner uuid,
        owned_until timestamptz,
        created_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      COMMENT ON TABLE ${schema}.discovery IS 'Discoveries, and how far each one is';
      COMMENT ON COLUMN ${schema}.discovery.wish IS 'What was asked for; the numbered list of targets follows from it';
      COMMENT ON COLUMN ${schema}.discovery.next_target IS 'Everything before this target is counted, and what it served is stored';
      COMMENT ON COLUMN ${schema}.discovery.outcomes IS 'How many targets ended how';
      COMMENT ON COLUMN ${schema}.discovery.owner IS 'The process that carries it out, until owned_until';
      CREATE INDEX discovery_open ON ${schema}.discovery (created_at) WHERE status = 'inProgress';

      CREATE TABLE ${schema}.found_certificate (
        discovery_uuid uuid NOT NULL REFERENCES ${schema}.discovery ON DELETE CASCADE,
        number integer NOT NULL,
        uuid uuid NOT NULL,
        fingerprint bytea NOT NULL,
        der bytea NOT NULL,
        seen integer NOT NULL,
        sightings jsonb NOT NULL,
        PRIMARY KEY (discovery_uuid, number),
        UNIQUE (discovery_uuid, fingerprint)
      );
      COMMENT ON TABLE ${schema}.found_certificate IS 'Certificates of a discovery, each once, numbered from 1 without gaps';
      COMMENT ON COLUMN ${schema}.found_certificate.seen IS 'How often it was served; sightings are the first of them';`,
  },
  idempotencyJournalMigration,
  {
    name: 'checkpoints',
    sql: (schema) => `
      ALTER TABLE ${schema}.discovery RENAME COLUMN outcomes TO counts;
      ALTER TABLE ${schema}.discovery
        ADD COLUMN checkpoint jsonb, ADD COLUMN sealed_secrets bytea, ADD COLUMN problems jsonb NOT NULL DEFAULT '[]';
      UPDATE ${schema}.discovery SET checkpoint = jsonb_build_object('next', next_target, 'total', total_targets);
      ALTER TABLE ${schema}.discovery
        ALTER COLUMN checkpoint SET NOT NULL, DROP COLUMN next_target, DROP COLUMN total_targets;`,
  },
];
