-- An authority is edited at its connector and here: the second of two edits at once is refused until the first is done.
ALTER TABLE authority ADD COLUMN edited_until timestamptz;
