-- Whoever reaches the address of a CMP profile chooses the iterations of a MAC; the profile says how many are accepted.
ALTER TABLE cmp_profile ADD COLUMN max_mac_iterations integer NOT NULL DEFAULT 100000;
