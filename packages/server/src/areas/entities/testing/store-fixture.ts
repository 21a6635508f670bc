// Rows of locations and their certificates, without the surrounding services.
import { testDatabase } from '@signetry/testkit/database';
import { insertRows } from '../../certificates/testing/certificate-rows.ts';
import { entities, findHeld, storeHeld, locations } from '../store.ts';
import type { HeldRow, LocationRow } from '../tables.ts';
import { entityRow, heldRow, locationRow } from './entity-rows.ts';

export async function createStoreFixture() {
  const database = await testDatabase();
  const { executor } = database;
  const entity = entityRow();
  await entities.insert(executor, entity);

  async function addLocation(facts: Partial<LocationRow> = {}): Promise<LocationRow> {
    const row = locationRow({ entity_uuid: entity.uuid, ...facts });
    await locations.insert(executor, row);
    return row;
  }

  /** Adds a new certificate to a location. */
  async function hold(
    { uuid: location_uuid }: Pick<LocationRow, 'uuid'>,
    facts: Partial<HeldRow> = {},
  ): Promise<HeldRow> {
    const [certificate] = await insertRows(database, [{ common_name: 'held.test' }]);
    const row = heldRow({ location_uuid, certificate_uuid: certificate?.uuid ?? '', ...facts });
    await storeHeld(executor, row);
    return row;
  }

  return {
    database,
    executor,
    entity,
    addLocation,
    hold,
    /** Returns the current row. */
    async now({ location_uuid, certificate_uuid }: HeldRow): Promise<HeldRow | undefined> {
      const held = await findHeld(executor, [location_uuid]);
      return held.find((row) => row.certificate_uuid === certificate_uuid);
    },
  };
}

export type StoreFixture = Awaited<ReturnType<typeof createStoreFixture>>;
