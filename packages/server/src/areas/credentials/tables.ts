// Row types for this area's table (migration 0030-credentials).

export type CredentialRow = {
  uuid: string;
  name: string;
  kind: string;
  enabled: boolean;
  /** Null if the connector was force-removed. */
  connector_uuid: string | null;
  connector_name: string;
  created_at: Date;
  updated_at: Date;
};
