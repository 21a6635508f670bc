// EST profiles on a real database, with a fake authority and an inventory filled by the test.
import { newUuid } from '../../../kernel/ids.ts';
import { ORIGIN, profilesFixture } from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createEstProfilesArea, type EstProfileAreas } from '../index.ts';

export { ORIGIN };
export const PASSWORD = 'correct horse battery';

export type EstProfilesFixture = Awaited<ReturnType<typeof estProfilesFixture>>;

/** Creates the fixture, which the caller must close. */
export async function estProfilesFixture() {
  /** Identifiers of the certificates in the inventory. */
  const inventory = new Set<string>();
  const { profiles, ...fixture } = await profilesFixture((platform, below) =>
    createEstProfilesArea(platform, { ...below, issuing: inventoryOf(inventory), urlBase: () => ORIGIN }),
  );
  return {
    ...fixture,
    estProfiles: profiles,
    inventory,
    /** Creates a profile; returns its identifier and name. */
    async addProfile(facts: object = {}): Promise<{ readonly uuid: string; readonly name: string }> {
      const body = { name: `est-${newUuid()}`, ...facts };
      return { name: body.name, uuid: (await fixture.call('createEstProfile', { body })).uuid };
    },
  };
}

/** Only supports checking which certificates exist. */
const inventoryOf = (uuids: ReadonlySet<string>): EstProfileAreas['issuing'] =>
  ({
    protocols: {
      findByUuids: async (asked: readonly string[]) =>
        asked
          .map((uuid) => uuid.toLowerCase())
          .filter((uuid) => uuids.has(uuid))
          .map((uuid) => ({ uuid })),
    },
  }) as unknown as EstProfileAreas['issuing'];
