// The connector's table, in addition to those for instances.
import type { ConnectorMigration } from '@signetry/connector-sdk';

export const migrations: readonly ConnectorMigration[] = [
  {
    name: 'accepted-mails',
    sql: (schema) => `
      CREATE TABLE ${schema}.accepted_mail (
        delivery text NOT NULL,
        recipient bytea NOT NULL,
        accepted_at timestamptz NOT NULL,
        PRIMARY KEY (delivery, recipient)
      );
      COMMENT ON TABLE ${schema}.accepted_mail IS 'Mails that a server has accepted, so that a delivery that is repeated sends the others only';
      COMMENT ON COLUMN ${schema}.accepted_mail.delivery IS 'The instance and the identifier of the delivery';
      COMMENT ON COLUMN ${schema}.accepted_mail.recipient IS 'SHA-256 of the address';
      CREATE INDEX accepted_mail_time ON ${schema}.accepted_mail (accepted_at);`,
  },
];
