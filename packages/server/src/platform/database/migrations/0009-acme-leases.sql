-- Which node looks after an order or a challenge under way: what an earlier life of a node left, the next one takes up at once.
-- Empty where the previous version leased it; such a lease runs out by itself.
ALTER TABLE acme_order ADD COLUMN leased_by uuid;
ALTER TABLE acme_authorization ADD COLUMN leased_by uuid;
