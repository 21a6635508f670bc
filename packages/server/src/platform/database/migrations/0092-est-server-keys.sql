-- Keys that the server makes for clients of EST, where a profile allows it.
ALTER TABLE est_profile ADD COLUMN server_keys boolean NOT NULL DEFAULT false;
