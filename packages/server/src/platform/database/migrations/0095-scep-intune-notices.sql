-- What Microsoft Intune is to be told: a row for every request of SCEP that it validated, written before anything is
-- asked for, and deleted once Intune knows what became of it.
CREATE TABLE scep_intune_notice (
  uuid uuid PRIMARY KEY,
  profile_uuid uuid NOT NULL,
  -- Of the enrolment, which tells what became of the request.
  enrolment_transaction text NOT NULL,
  -- Of the message, as Intune validated it.
  transaction_id text NOT NULL,
  -- PKCS#10, DER in Base64.
  request text NOT NULL,
  -- Of telling; looking whether there is anything to tell is not counted.
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL,
  CONSTRAINT scep_intune_notice_key UNIQUE (profile_uuid, enrolment_transaction)
);

CREATE INDEX scep_intune_notice_due ON scep_intune_notice (next_at);
