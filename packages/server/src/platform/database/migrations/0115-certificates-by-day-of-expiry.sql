-- The newest of those that end on a day (UTC), for lists of what ends soon: such a list reads some of each day, however
-- many end in all of them.
CREATE INDEX certificate_by_expiry_day ON certificate (((not_after AT TIME ZONE 'UTC')::date), uuid) INCLUDE (not_after)
  WHERE NOT archived AND not_after IS NOT NULL;
