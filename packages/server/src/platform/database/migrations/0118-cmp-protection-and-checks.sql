-- A CMP profile can accept a shared secret and signatures at one URL, and can check messages as RFC 9483 requires.
-- Existing profiles continue to accept the messages of their clients.
ALTER TABLE cmp_profile
  ADD COLUMN accept_both_protections boolean NOT NULL DEFAULT false,
  ADD COLUMN strict_messages boolean NOT NULL DEFAULT false,
  ADD COLUMN message_time_tolerance integer NOT NULL DEFAULT 300;
