-- IP address from which an enrollment request was received; null for requests received before this migration.
ALTER TABLE enrollment ADD COLUMN address text;
