// RA profiles that an ACME profile offers to clients by name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { CRL_URL, startFakeConnector } from '../connectors/testing/fake-connector.ts';
import {
  acmeProfilesFixture,
  defineAttributes,
  editRequest,
  profileName,
  type AcmeProfilesFixture,
} from './testing/acme-profiles-fixture.ts';

let test: AcmeProfilesFixture;
let raProfileUuid: string;

beforeAll(async () => {
  test = await acmeProfilesFixture();
  ({ uuid: raProfileUuid } = await test.addRaProfile());
});
afterAll(() => test.close());

const offer = (name: string, uuid: string) => ({ name, description: `What ${name} is for`, raProfileUuid: uuid });
const detail = (uuid: string) => test.call('getAcmeProfile', { params: { uuid } });
const findServed = (name: string, family: 'profile' | 'raProfile' = 'profile') =>
  test.acmeProfiles.served.find(family, name);

describe('a profile offered to ACME clients', () => {
  it('is served with its RA profile, and is left unchanged by an edit that omits it', async () => {
    const short = await test.addRaProfile();
    const name = profileName();
    const offeredProfiles = [offer('short', short.uuid.toUpperCase()), offer('own', raProfileUuid)];
    const uuid = await test.addProfile({ name, raProfileUuid, offeredProfiles });
    await test.call('editAcmeProfile', { params: { uuid }, body: editRequest({ raProfileUuid }) });
    const shown = (await detail(uuid)).offeredProfiles ?? [];
    expect(shown.toSorted((a, b) => b.name.localeCompare(a.name))).toEqual([
      offer('short', short.uuid),
      offer('own', raProfileUuid),
    ]);
    const found = (await findServed(name))?.offeredProfiles.find((each) => each.name === 'short');
    expect(found).toEqual({
      name: 'short',
      description: 'What short is for',
      raProfile: { ...short, enabled: true, authorityUuid: test.authorityUuid },
    });
    await test.call('editAcmeProfile', { params: { uuid }, body: editRequest({ raProfileUuid, offeredProfiles: [] }) });
    expect((await detail(uuid)).offeredProfiles).toEqual([]);
  });

  it('is removed with its RA profile, and is not served while the RA profile is disabled', async () => {
    const [removed, disabled] = [await test.addRaProfile(), await test.addRaProfile()];
    const name = profileName();
    const offeredProfiles = [offer('removed', removed.uuid), offer('disabled', disabled.uuid)];
    const uuid = await test.addProfile({ name, raProfileUuid, offeredProfiles });
    const path = (each: { uuid: string }) => ({ authorityUuid: test.authorityUuid, raProfileUuid: each.uuid });
    await test.call('deleteRaProfile', { params: path(removed) });
    await test.call('disableRaProfile', { params: path(disabled) });
    expect((await detail(uuid)).offeredProfiles).toEqual([offer('disabled', disabled.uuid)]);
    test.acmeProfiles.served.forget();
    expect((await findServed(name))?.offeredProfiles).toEqual([]);
  });

  it('is not offered under the URL of an RA profile, because that URL already selects one', async () => {
    const [own, other] = [await test.addRaProfile(), await test.addRaProfile()];
    const acmeProfileUuid = await test.addProfile({ offeredProfiles: [offer('other', other.uuid)] });
    await test.call('activateAcmeForRaProfile', {
      params: { authorityUuid: test.authorityUuid, raProfileUuid: own.uuid, acmeProfileUuid },
      body: editRequest(),
    });
    expect((await findServed(own.name, 'raProfile'))?.offeredProfiles).toEqual([]);
  });

  it('must refer to an existing RA profile', async () => {
    for (const uuid of [newUuid(), 'no-uuid', ''])
      await expect(test.addProfile({ offeredProfiles: [offer('lost', uuid)] })).rejects.toMatchObject({
        code: 'object_not_found',
      });
  });

  it('must not require attributes, because an ACME profile stores attributes only for its own RA profile', async () => {
    const demanding = await startFakeConnector();
    try {
      const { uuid } = await test.addRaProfile(await test.addAuthority(await test.addConnector(demanding)));
      const required = { ...CRL_URL, properties: { ...CRL_URL.properties, required: true } };
      defineAttributes(demanding, { purpose: 'issue', definitions: [required] });
      await expect(test.addProfile({ offeredProfiles: [offer('demanding', uuid)] })).rejects.toMatchObject({
        code: expect.stringMatching(/rejected_by_rules|invalid_fields/) as string,
      });
    } finally {
      await demanding.close();
    }
  });
});
