-- Lifetime in days, as filters ask for it: both ends belong to the validity, and a second more than some days is a day
-- more. Those of rare lifetimes are found here; the identifier is the order of lists without another one.
CREATE INDEX certificate_by_lifetime ON certificate
  ((ceil((extract(epoch FROM not_after - not_before) + 1) / 86400)::int), uuid) WHERE NOT archived;
