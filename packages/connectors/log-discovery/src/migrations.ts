// The connector's tables.
import type { ConnectorMigration } from '@signetry/connector-sdk';
import { discoveryMigrations } from '@signetry/connector-sdk/discovery';

export const migrations: readonly ConnectorMigration[] = [
  ...discoveryMigrations,
  {
    name: 'logs',
    sql: (schema) => `
      CREATE TABLE ${schema}.logged_certificate (
        discovery_uuid uuid NOT NULL REFERENCES ${schema}.discovery ON DELETE CASCADE,
        identity bytea NOT NULL,
        entry bigint NOT NULL,
        precertificate bytea,
        sighting jsonb,
        PRIMARY KEY (discovery_uuid, identity)
      );
      COMMENT ON TABLE ${schema}.logged_certificate IS 'What a discovery has met, by issuer and serial number, until it ends';
      COMMENT ON COLUMN ${schema}.logged_certificate.precertificate IS 'Waits for its certificate; absent when that was found';

      CREATE TABLE ${schema}.log_position (
        log text NOT NULL,
        domains_digest bytea NOT NULL,
        size bigint NOT NULL,
        root text NOT NULL,
        next_entry bigint NOT NULL,
        PRIMARY KEY (log, domains_digest)
      );
      COMMENT ON TABLE ${schema}.log_position IS 'Where the last discovery of a log with these domains ended, and the tree head that it saw';`,
  },
];
