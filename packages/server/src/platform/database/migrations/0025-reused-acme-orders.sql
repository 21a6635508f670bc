-- A new order for what an open one is for already is answered with that one. The key is made of everything that the order
-- was asked for, by whom, and of the version of the ACME profile; at most one open order has it. Null: the order is not
-- answered again, as those of the previous version, which knows nothing of keys.
ALTER TABLE acme_order ADD COLUMN reuse_key uuid;
CREATE UNIQUE INDEX acme_order_reuse ON acme_order (reuse_key) WHERE status = 'pending';
