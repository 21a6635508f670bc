-- Requests over CMP that wait for a person, and keys that the server makes for its clients, where a profile says so.
ALTER TABLE cmp_profile ADD COLUMN require_manual_approval boolean NOT NULL DEFAULT false;
ALTER TABLE cmp_profile ADD COLUMN central_keys boolean NOT NULL DEFAULT false;
