-- Revocations that relying parties may not find in the CRLs of their authority yet. A row goes when they do.
CREATE TABLE awaited_revocation (
  authority_uuid uuid NOT NULL REFERENCES authority (uuid) ON DELETE CASCADE,
  -- May be deleted from the inventory meanwhile.
  certificate_uuid uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (authority_uuid, certificate_uuid)
);
