import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRL_URL, PASSWORD, startFakeConnector } from '../connectors/testing/fake-connector.ts';
import { newUuid } from '../../kernel/ids.ts';
import {
  crlUrl,
  defineAttributes,
  DIRECTORY_BASE,
  editRequest,
  acmeProfilesFixture,
  type AcmeProfilesFixture,
} from './testing/acme-profiles-fixture.ts';

let test: AcmeProfilesFixture;

beforeAll(async () => {
  test = await acmeProfilesFixture();
});
afterAll(() => test.close());

interface RaProfilePath {
  readonly raProfileUuid: string;
  readonly authorityUuid?: string;
}
const paramsOf = ({ raProfileUuid, authorityUuid = test.authorityUuid }: RaProfilePath) => ({
  authorityUuid,
  raProfileUuid,
});
const acmeOf = (place: RaProfilePath) => test.call('getAcmeForRaProfile', { params: paramsOf(place) });
const activate = (place: RaProfilePath & { readonly acmeProfileUuid: string }, facts: object = {}) =>
  test.call('activateAcmeForRaProfile', {
    params: { ...paramsOf(place), acmeProfileUuid: place.acmeProfileUuid },
    body: editRequest(facts),
  });
const deactivate = (place: RaProfilePath) => test.call('deactivateAcmeForRaProfile', { params: paramsOf(place) });
const inactive = { uuid: '', name: '', acmeAvailable: false };

describe('ACME on an RA profile', () => {
  it("is unavailable until it is activated, and is then served under the RA profile's name", async () => {
    const { uuid: raProfileUuid, name } = await test.addRaProfile();
    const acmeProfileUuid = await test.addProfile();
    const acmeProfile = await test.call('getAcmeProfile', { params: { uuid: acmeProfileUuid } });
    expect(await acmeOf({ raProfileUuid })).toEqual(inactive);
    const active = {
      uuid: acmeProfileUuid,
      name: acmeProfile.name,
      acmeAvailable: true,
      directoryUrl: `${DIRECTORY_BASE}/api/v1/protocols/acme/raProfile/${name}/directory`,
      issueCertificateAttributes: [],
      revokeCertificateAttributes: [],
    };
    expect(await activate({ raProfileUuid, acmeProfileUuid })).toEqual(active);
    expect(await acmeOf({ raProfileUuid })).toEqual(active);
    await deactivate({ raProfileUuid });
    expect(await acmeOf({ raProfileUuid })).toEqual(inactive);
    await deactivate({ raProfileUuid });
    expect(await test.audits(raProfileUuid)).toEqual(['create', 'activateProtocol', 'deactivateProtocol']);
  });

  it("is listed among the RA profile's protocols", async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const protocols = async () =>
      (await test.call('getRaProfile', { params: paramsOf({ raProfileUuid }) })).enabledProtocols;
    expect(await protocols()).toEqual([]);
    await activate({ raProfileUuid, acmeProfileUuid: await test.addProfile() });
    expect(await protocols()).toEqual(['ACME']);
  });

  it('increments the versions of the activated ACME profile and of the one it replaces', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const [first, second] = [await test.addProfile(), await test.addProfile()];
    const versions = async () => [await test.versionOf(first), await test.versionOf(second)];
    await activate({ raProfileUuid, acmeProfileUuid: first });
    expect(await versions()).toEqual([2, 1]);
    await activate({ raProfileUuid, acmeProfileUuid: second });
    expect(await versions()).toEqual([3, 2]);
    expect((await acmeOf({ raProfileUuid })).uuid).toBe(second);
    await deactivate({ raProfileUuid });
    await deactivate({ raProfileUuid });
    expect(await versions()).toEqual([3, 3]);
  });

  it('has exactly one ACME profile after two concurrent activations', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const profiles = [await test.addProfile(), await test.addProfile()];
    await Promise.all(profiles.map((acmeProfileUuid) => activate({ raProfileUuid, acmeProfileUuid })));
    const { uuid } = await acmeOf({ raProfileUuid });
    const loser = profiles.find((each) => each !== uuid) ?? '';
    expect([await test.versionOf(uuid), await test.versionOf(loser)]).toEqual([2, 3]);
  });

  it('can be activated on many RA profiles concurrently', async () => {
    const acmeProfileUuid = await test.addProfile();
    const raProfiles = await Promise.all([1, 2, 3, 4].map(() => test.addRaProfile()));
    await Promise.all(raProfiles.map(({ uuid }) => activate({ raProfileUuid: uuid, acmeProfileUuid })));
    expect(await test.versionOf(acmeProfileUuid)).toBe(5);
  });

  it("can be accessed only through the RA profile's authority", async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const authorityUuid = await test.addAuthority();
    const acmeProfileUuid = await test.addProfile();
    const elsewhere = { raProfileUuid, authorityUuid };
    for (const attempt of [
      () => acmeOf(elsewhere),
      () => activate({ ...elsewhere, acmeProfileUuid }),
      () => deactivate(elsewhere),
      () => activate({ raProfileUuid, acmeProfileUuid: newUuid() }),
      () => activate({ raProfileUuid: newUuid(), acmeProfileUuid }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await acmeOf({ raProfileUuid })).toEqual(inactive);
  });

  it('is unchanged if the audit record cannot be written', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const [acmeProfileUuid, other] = [await test.addProfile(), await test.addProfile()];
    await activate({ raProfileUuid, acmeProfileUuid });
    const before = [await acmeOf({ raProfileUuid }), await test.versionOf(acmeProfileUuid)];
    test.audit.isBroken = true;
    try {
      await expect(activate({ raProfileUuid, acmeProfileUuid: other })).rejects.toThrow('audit trail');
      await expect(deactivate({ raProfileUuid })).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect([await acmeOf({ raProfileUuid }), await test.versionOf(acmeProfileUuid)]).toEqual(before);
  });
});

describe('the attributes for an activation', () => {
  beforeAll(() => {
    const required = { ...CRL_URL, properties: { label: 'CRL', required: true } };
    defineAttributes(test.connector, { purpose: 'issue', definitions: [required, PASSWORD] });
    test.clock.advance(10_000);
  });
  afterAll(() => {
    defineAttributes(test.connector, { purpose: 'issue', definitions: [] });
    test.clock.advance(10_000);
  });

  it('are validated by the authority and stored separately from those of the RA profile', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const acmeProfileUuid = await test.addProfile();
    await expect(activate({ raProfileUuid, acmeProfileUuid })).rejects.toMatchObject({
      parameters: { problems: ['Attribute CRL (data_crlUrl) is required.'] },
    });
    const given = { issueCertificateAttributes: [crlUrl('http://x')] };
    expect(await activate({ raProfileUuid, acmeProfileUuid }, given)).toMatchObject({
      issueCertificateAttributes: [{ name: 'data_crlUrl', content: [{ data: 'http://x' }] }],
    });
    const shown = await test.call('getRaProfile', { params: paramsOf({ raProfileUuid }) });
    expect(shown.attributes).toEqual([]);
    await deactivate({ raProfileUuid });
    expect(await test.database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [raProfileUuid])).toEqual(
      [],
    );
  });

  it('keep their secrets if they are sent again without the secret values', async () => {
    const raProfile = await test.addRaProfile();
    const place = { raProfileUuid: raProfile.uuid, acmeProfileUuid: await test.addProfile() };
    const given = (data: object) => ({
      issueCertificateAttributes: [
        crlUrl('http://x'),
        { uuid: PASSWORD.uuid, name: PASSWORD.name, contentType: 'secret', content: [{ data }] },
      ],
    });
    await activate(place, given({ secret: 's3cret' }));
    expect(JSON.stringify(await activate(place, given({})))).not.toContain('s3cret');
    const served = await test.acmeProfiles.served.find('raProfile', raProfile.name);
    expect(served?.issueAttributes.find(({ name }) => name === 'data_password')?.content).toEqual([
      { data: { secret: 's3cret' } },
    ]);
  });
});

describe('an unreachable authority', () => {
  it('prevents the activation', async () => {
    const connector = await startFakeConnector();
    const authorityUuid = await test.addAuthority(await test.addConnector(connector));
    const { uuid: raProfileUuid } = await test.addRaProfile(authorityUuid);
    const acmeProfileUuid = await test.addProfile();
    await connector.close();
    const place = { raProfileUuid, authorityUuid };
    await expect(activate({ ...place, acmeProfileUuid })).rejects.toMatchObject({ code: 'connector_unreachable' });
    expect(await acmeOf(place)).toEqual(inactive);
  });
});
