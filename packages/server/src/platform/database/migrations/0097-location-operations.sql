-- The operation that is being carried out at a location: one at a time, on whichever node. A node that ended renews no
-- lease, so that another operation takes over.
CREATE TABLE location_operation (
  location_uuid uuid PRIMARY KEY REFERENCES location ON DELETE CASCADE,
  uuid uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('push', 'issue', 'renew', 'remove', 'recover')),
  -- The certificate that is pushed, renewed or removed.
  certificate_uuid uuid,
  requested_by text NOT NULL,
  node_uuid uuid NOT NULL,
  started_at timestamptz NOT NULL,
  leased_until timestamptz NOT NULL
);

-- The provider made an entry for the certificate that was not in the location before, as listings of it show: only such
-- an entry is removed where the certificate is not issued.
ALTER TABLE location_certificate ADD COLUMN made_entry boolean NOT NULL DEFAULT false;
