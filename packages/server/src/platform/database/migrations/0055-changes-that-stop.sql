-- Whoever asked for a change of many certificates, or may make it, stops it: the rest of its certificates stays as it
-- was. Present where it was stopped, with the name of who did.
ALTER TABLE certificate_change ADD COLUMN stopped_by text;
