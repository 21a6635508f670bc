-- One spelling everywhere: enrollment.
ALTER TABLE enrolment RENAME TO enrollment;
ALTER INDEX enrolment_pkey RENAME TO enrollment_pkey;
ALTER INDEX enrolment_transaction_key RENAME TO enrollment_transaction_key;
ALTER INDEX enrolment_by_ra_profile RENAME TO enrollment_by_ra_profile;
ALTER INDEX enrolment_by_profile RENAME TO enrollment_by_profile;
ALTER INDEX enrolment_ended RENAME TO enrollment_ended;

ALTER TABLE enrolment_secret RENAME TO enrollment_secret;
ALTER TABLE enrollment_secret RENAME COLUMN enrolment_uuid TO enrollment_uuid;
ALTER TABLE enrollment_secret RENAME CONSTRAINT enrolment_secret_pkey TO enrollment_secret_pkey;
ALTER TABLE enrollment_secret RENAME CONSTRAINT enrolment_secret_reference_key TO enrollment_secret_reference_key;
ALTER TABLE enrollment_secret RENAME CONSTRAINT enrolment_secret_hash_key TO enrollment_secret_hash_key;
ALTER TABLE enrollment_secret
  RENAME CONSTRAINT enrolment_secret_ra_profile_uuid_fkey TO enrollment_secret_ra_profile_uuid_fkey;
ALTER INDEX enrolment_secret_by_ra_profile RENAME TO enrollment_secret_by_ra_profile;
ALTER INDEX enrolment_secret_by_expiry RENAME TO enrollment_secret_by_expiry;

ALTER TABLE scep_intune_notice RENAME COLUMN enrolment_transaction TO enrollment_transaction;
