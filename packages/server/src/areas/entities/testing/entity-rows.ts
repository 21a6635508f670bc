// Entity rows as objects, and certificates as the inventory returns them; a test sets only the values that it needs.
import { newUuid } from '../../../kernel/ids.ts';
import type { HeldCertificate } from '../../inventory/index.ts';
import type { EntityRow, HeldRow, LocationRow } from '../tables.ts';

export const AT = new Date('2026-03-04T05:06:07.000Z');

export const entityRow = (facts: Partial<EntityRow> = {}): EntityRow => {
  const uuid = newUuid();
  return {
    uuid,
    name: `entity ${uuid}`,
    connector_uuid: null,
    connector_name: 'shelves',
    connector_entity_uuid: 'there',
    kind: 'Shelf',
    removing: false,
    edited_until: null,
    created_at: AT,
    updated_at: AT,
    ...facts,
  };
};

/** Returns a location row, for one certificate unless overridden. */
export const locationRow = (facts: Partial<LocationRow> = {}): LocationRow => {
  const uuid = newUuid();
  return {
    uuid,
    name: `location ${uuid}`,
    description: null,
    entity_uuid: newUuid(),
    attributes_digest: uuid,
    enabled: true,
    multiple_entries: false,
    key_management: true,
    read_at: AT,
    problem: null,
    edited_until: null,
    created_at: AT,
    updated_at: AT,
    ...facts,
  };
};

export const heldRow = (facts: Partial<HeldRow> = {}): HeldRow => ({
  location_uuid: newUuid(),
  certificate_uuid: newUuid(),
  state: 'installed',
  with_key: false,
  metadata: [],
  replaces_uuid: null,
  requested_by: 'alice',
  problem: null,
  noted_at: AT,
  made_entry: false,
  changed_at: AT,
  served_at: null,
  asked_until: null,
  ask_at: null,
  ...facts,
});

export const heldCertificate = (facts: Partial<HeldCertificate> = {}): HeldCertificate => ({
  uuid: newUuid(),
  title: 'a.test',
  commonName: 'a.test',
  serialNumber: '1f',
  state: 'issued',
  validationStatus: 'valid',
  archived: false,
  raProfileUuid: null,
  fingerprint: 'aa',
  publicKeyAlgorithm: 'ECDSA',
  ...facts,
});
