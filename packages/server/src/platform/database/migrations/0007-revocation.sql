-- CA certificates that sign or signed for an authority. A row stays when the CA gets another key: certificates of the
-- former key are still asked about.
CREATE TABLE authority_issuer (
  authority_uuid uuid NOT NULL REFERENCES authority (uuid) ON DELETE CASCADE,
  certificate_uuid uuid NOT NULL,
  der bytea NOT NULL,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (authority_uuid, certificate_uuid)
);

-- The CRLs that are served: the latest full one and the latest delta of each authority. `issuer_key` names the CA by
-- name and key; numbers are compared within it. CRL numbers have up to 20 octets (RFC 5280 section 5.2.3).
CREATE TABLE published_crl (
  authority_uuid uuid NOT NULL REFERENCES authority (uuid) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('full', 'delta')),
  issuer_key text NOT NULL,
  number numeric(49) NOT NULL,
  base_number numeric(49),
  this_update timestamptz NOT NULL,
  next_update timestamptz NOT NULL,
  sha256 text NOT NULL,
  der bytea NOT NULL,
  published_at timestamptz NOT NULL,
  PRIMARY KEY (authority_uuid, kind)
);

CREATE INDEX published_crl_by_next_update ON published_crl (next_update);

-- Keys that sign OCSP responses, with the certificates that entitle them to (RFC 6960 section 4.2.2.2). Without
-- certificate while it is being issued.
CREATE TABLE ocsp_responder (
  uuid uuid PRIMARY KEY,
  authority_uuid uuid NOT NULL REFERENCES authority (uuid) ON DELETE CASCADE,
  sealed_key bytea NOT NULL,
  public_key bytea NOT NULL,
  certificate_uuid uuid,
  issuer_key text,
  certificate bytea,
  not_before timestamptz,
  not_after timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (certificate IS NULL OR (certificate_uuid IS NOT NULL AND issuer_key IS NOT NULL AND not_before IS NOT NULL AND not_after IS NOT NULL))
);

CREATE INDEX ocsp_responder_by_authority ON ocsp_responder (authority_uuid);
CREATE INDEX ocsp_responder_by_certificate ON ocsp_responder (certificate_uuid);

-- Work for an authority that one node does at a time: who does it until when, and when it may be tried again.
CREATE TABLE revocation_duty (
  authority_uuid uuid NOT NULL REFERENCES authority (uuid) ON DELETE CASCADE,
  duty text NOT NULL CHECK (duty IN ('full', 'delta', 'responder')),
  lease_uuid uuid,
  -- Node that holds the lease; its next life takes it back at once.
  node_id uuid,
  leased_until timestamptz,
  outcome text CHECK (outcome IN ('done', 'failed', 'notOffered')),
  failures integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  last_problem text,
  PRIMARY KEY (authority_uuid, duty)
);
