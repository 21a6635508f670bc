// Tables of every notification connector.
import type { ConnectorMigration, SealedValues } from '../connector.ts';
import { idempotencyJournalMigration } from '../journal/idempotency-journal.ts';

/** Must come first among the connector's migrations. */
export const notificationMigrations: readonly ConnectorMigration[] = [
  {
    name: 'notification-instances',
    sql: (schema) => `
      CREATE TABLE ${schema}.notification_instance (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        attributes jsonb NOT NULL,
        sealed_secrets bytea,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL
      );
      COMMENT ON TABLE ${schema}.notification_instance IS 'What is notified, and how';
      COMMENT ON COLUMN ${schema}.notification_instance.sealed_secrets IS 'Values of attributes that are never shown, as JSON, sealed';
      COMMENT ON COLUMN ${schema}.notification_instance.version IS 'Counts its changes';`,
  },
  idempotencyJournalMigration,
];

/** Returns the purpose to which an instance's secrets are bound. */
export const secretsPurpose = (uuid: string): string => `notification instance ${uuid}`;

export const instanceSecrets: SealedValues = {
  table: 'notification_instance',
  key: 'uuid',
  column: 'sealed_secrets',
  purpose: secretsPurpose,
};
