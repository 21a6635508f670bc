// Tables of every discovery connector.
import type { ConnectorMigration, SealedValues } from '../connector.ts';
import { idempotencyJournalMigration } from '../journal/idempotency-journal.ts';

export const foundCertificateTable = (schema: string): string => `
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
  COMMENT ON COLUMN ${schema}.found_certificate.seen IS 'How often it was seen; sightings are the first of them';`;

/** Must come first among the connector's migrations. */
export const discoveryMigrations: readonly ConnectorMigration[] = [
  {
    name: 'discoveries',
    sql: (schema) => `
      CREATE TABLE ${schema}.discovery (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        wish jsonb NOT NULL,
        sealed_secrets bytea,
        status text NOT NULL CHECK (status IN ('inProgress', 'completed', 'warning', 'failed')),
        checkpoint jsonb NOT NULL,
        counts jsonb NOT NULL DEFAULT '{}',
        problems jsonb NOT NULL DEFAULT '[]',
        certificates integer NOT NULL DEFAULT 0,
        reason text,
        owner uuid,
        owned_until timestamptz,
        created_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      COMMENT ON TABLE ${schema}.discovery IS 'Discoveries, and how far each one is';
      COMMENT ON COLUMN ${schema}.discovery.sealed_secrets IS 'Gone when the discovery has ended';
      COMMENT ON COLUMN ${schema}.discovery.checkpoint IS 'Everything before it is counted, and what was found there is stored';
      COMMENT ON COLUMN ${schema}.discovery.problems IS 'What could not be read, for people: the first of them';
      COMMENT ON COLUMN ${schema}.discovery.owner IS 'The process that carries it out, until owned_until';
      CREATE INDEX discovery_open ON ${schema}.discovery (created_at) WHERE status = 'inProgress';
      ${foundCertificateTable(schema)}`,
  },
  idempotencyJournalMigration,
];

/** Returns the purpose to which a discovery's secrets are bound. */
export const secretsPurpose = (uuid: string): string => `discovery ${uuid}`;

export const discoverySecrets: SealedValues = {
  table: 'discovery',
  key: 'uuid',
  column: 'sealed_secrets',
  purpose: secretsPurpose,
};
