// Profiles of EST over a real database, with a fake authority and an inventory that holds what a test says.
import { newUuid } from '../../../kernel/ids.ts';
import { ORIGIN, profilesFixture } from '../../protocol-profiles/testing/profiles-fixture.ts';
import { createEstProfilesArea, type EstProfileAreas } from '../index.ts';

export { ORIGIN };
export const PASSWORD = 'correct horse battery';

export type EstProfilesFixture = Awaited<ReturnType<typeof estProfilesFixture>>;

/** The caller closes it. */
export async function estProfilesFixture() {
  /** Identifiers of the certificates of the inventory. */
  const inventory = new Set<string>();
  const { profiles, ...fixture } = await profilesFixture((platform, below) =>
    createEstProfilesArea(platform, { ...below, issuing: inventoryOf(inventory), urlBase: () => ORIGIN }),
  );
  return {
    ...fixture,
    estProfiles: profiles,
    inventory,
    /** The identifier and the name of a new profile. */
    async addProfile(facts: object = {}): Promise<{ readonly uuid: string; readonly name: string }> {
      const body = { name: `est-${newUuid()}`, ...facts };
      return { name: body.name, uuid: (await fixture.call('createEstProfile', { body })).uuid };
    },
  };
}

/** It is only asked which certificates there are. */
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
