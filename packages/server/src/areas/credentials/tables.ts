// Rows of the table that this area owns (migration 0030-credentials).

export type CredentialRow = {
  uuid: string;
  name: string;
  kind: string;
  enabled: boolean;
  /** Empty when the connector was removed by force. */
  connector_uuid: string | null;
  connector_name: string;
  created_at: Date;
  updated_at: Date;
};
