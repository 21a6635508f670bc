-- Certificates of the same subject and alternative names in the order of their beginning: what renewed a certificate, and
-- the lineage of a name. The hash keeps the index narrow; readers compare the names themselves too.
CREATE INDEX certificate_by_names ON certificate
  (hashtextextended(subject_dn_normalized || ' ' || subject_alternative_names::text, 0), not_before) WHERE not_before IS NOT NULL;
