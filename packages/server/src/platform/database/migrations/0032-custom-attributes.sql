-- Custom attributes and global metadata are definitions without a connector, or those of one that count for all. What an
-- administrator sets stays beside what a connector gave. The previous version reads and writes neither.
ALTER TABLE attribute_definition ADD COLUMN enabled boolean NOT NULL DEFAULT true;
ALTER TABLE attribute_definition ADD COLUMN is_global boolean NOT NULL DEFAULT false;
-- Resources whose objects may have values of a custom attribute.
ALTER TABLE attribute_definition ADD COLUMN resources text[] NOT NULL DEFAULT '{}';

CREATE UNIQUE INDEX custom_attribute_name_key ON attribute_definition (name) WHERE type = 'custom';
CREATE UNIQUE INDEX global_metadata_name_key ON attribute_definition (name) WHERE type = 'meta' AND is_global;
