-- Counters of rates that all nodes count together (platform/limits). The columns are those that the counting library
-- asks for. What a crash forgets is counted anew.
CREATE UNLOGGED TABLE rate_limit (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Milliseconds since 1970.
  expire bigint
);

-- How many orders of an account are open is bounded.
CREATE INDEX acme_order_open ON acme_order (account_uuid, expires_at) WHERE status = 'pending';
