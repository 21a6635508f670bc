import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRL_URL, PASSWORD } from '../connectors/testing/fake-connector.ts';
import { newUuid } from '../../kernel/ids.ts';
import {
  crlUrl,
  defineAttributes,
  editRequest,
  acmeProfilesFixture,
  OWNER,
  profileName,
  type AcmeProfilesFixture,
} from './testing/acme-profiles-fixture.ts';

let test: AcmeProfilesFixture;

beforeAll(async () => {
  test = await acmeProfilesFixture();
  defineAttributes(test.connector, { purpose: 'issue', definitions: [CRL_URL, PASSWORD] });
  defineAttributes(test.connector, { purpose: 'revoke', definitions: [CRL_URL] });
});
afterAll(() => test.close());

const findServed = (family: 'profile' | 'raProfile', name: string) => test.acmeProfiles.served.find(family, name);
const secret = {
  uuid: PASSWORD.uuid,
  name: PASSWORD.name,
  contentType: 'secret',
  content: [{ data: { secret: 's3cret' } }],
};
const activate = (acmeProfileUuid: string, raProfileUuid: string, facts: object = {}) =>
  test.call('activateAcmeForRaProfile', {
    params: { authorityUuid: test.authorityUuid, raProfileUuid, acmeProfileUuid },
    body: editRequest(facts),
  });

describe('a profile under its own name', () => {
  it('is served with all data that requests need, including secret attributes', async () => {
    const raProfile = await test.addRaProfile();
    const { uuid: groupUuid } = await test.call('createGroup', { body: { name: `group ${newUuid()}` } });
    const name = profileName();
    const uuid = await test.addProfile({
      name,
      raProfileUuid: raProfile.uuid,
      dnsResolverIp: '192.0.2.53',
      dnsResolverPort: '5353',
      termsOfServiceUrl: 'https://pki.test/terms',
      requireContact: true,
      externalAccountRequired: true,
      caaIdentities: ['pki.test'],
      authorizationReuse: 60,
      allowLoopbackValidation: true,
      namePolicy: { allowedDnsSuffixes: ['.Pki.test'], deniedIpRanges: ['2001:DB8::/32'], allowWildcards: false },
      issueCertificateAttributes: [secret],
      revokeCertificateAttributes: [crlUrl('http://x')],
      certificateAssociations: { ownerUuid: test.ownerUuid, groupUuids: [groupUuid], customAttributes: [] },
    });
    expect(await findServed('profile', name)).toEqual({
      family: 'profile', uuid, name, version: 1, enabled: false,
      raProfile: { ...raProfile, enabled: true, authorityUuid: test.authorityUuid },
      description: undefined, caaByDefault: false, retryInterval: 30, validity: 36_000, dnsResolverIp: '192.0.2.53', dnsResolverPort: 5353, requireContact: true,
      requireTermsOfService: false, termsOfServiceUrl: 'https://pki.test/terms', websiteUrl: undefined,
      termsOfServiceChangeDisable: false, termsOfServiceChangeUrl: undefined, externalAccountRequired: true, externalAccountValidates: false,
      caaIdentities: ['pki.test'], authorizationReuse: 60, allowLoopbackValidation: true,
      namePolicy: {
        allowedDnsSuffixes: ['pki.test'], deniedDnsSuffixes: [], allowedIpRanges: [], deniedIpRanges: ['2001:db8::/32'],
        allowWildcards: false,
      },
      offeredProfiles: [], additionalChallenges: [], issueAttributes: [secret], revokeAttributes: [crlUrl('http://x')],
      association: { owner: { uuid: test.ownerUuid, username: OWNER }, groupUuids: [groupUuid], customAttributes: [] },
    }); // prettier-ignore
  });

  it('distinguishes between disabled and unspecified CAA checks', async () => {
    const names = [profileName(), profileName()] as const;
    await test.addProfile({ name: names[0] });
    await test.addProfile({ name: names[1], caaIdentities: [] });
    const found = await Promise.all(names.map((name) => findServed('profile', name)));
    expect(found.map((profile) => profile?.caaIdentities)).toEqual([undefined, []]);
  });

  it('is served even if it has no RA profile; callers must reject the requests', async () => {
    const name = profileName();
    await test.addProfile({ name });
    expect(await findServed('profile', name)).toMatchObject({
      raProfile: undefined,
      issueAttributes: [],
      association: { owner: null, groupUuids: [], customAttributes: [] },
    });
  });

  it.each(['nobody', 'raProfile', 'a b', 'a\0b', '', 'x'.repeat(500)])(
    'is not found if it does not exist (%j)',
    async (name) => {
      expect(await findServed('profile', name)).toBeUndefined();
      expect(await findServed('raProfile', name)).toBeUndefined();
    },
  );

  it('is not found under a longer name that begins with its name', async () => {
    const name = profileName();
    await test.addProfile({ name });
    expect(await findServed('profile', `${name} x`)).toBeUndefined();
  });
});

describe('a profile under the name of an RA profile', () => {
  it('is served with the RA profile and the attributes of the activation', async () => {
    const [own, activated] = [await test.addRaProfile(), await test.addRaProfile()];
    const name = profileName();
    const uuid = await test.addProfile({
      name,
      raProfileUuid: own.uuid,
      issueCertificateAttributes: [crlUrl('http://own')],
    });
    expect(await findServed('raProfile', activated.name)).toBeUndefined();
    await activate(uuid, activated.uuid, { issueCertificateAttributes: [crlUrl('http://activated'), secret] });
    expect(await findServed('raProfile', activated.name)).toMatchObject({
      family: 'raProfile',
      uuid,
      name,
      version: 2,
      raProfile: { uuid: activated.uuid },
      issueAttributes: [{ content: [{ data: 'http://activated' }] }, secret],
    });
    expect(await findServed('profile', name)).toMatchObject({
      family: 'profile',
      version: 2,
      raProfile: { uuid: own.uuid },
      issueAttributes: [{ content: [{ data: 'http://own' }] }],
    });
    expect(await findServed('raProfile', own.name)).toBeUndefined();
  });
});

describe('a cached profile', () => {
  it('is invalidated immediately by a change on this node, and within 5 s by a change on another node', async () => {
    const raProfile = await test.addRaProfile();
    const name = profileName();
    const uuid = await test.addProfile({ name });
    const other = test.otherNode().acmeProfiles.served;
    const enabledOnBoth = async () => [
      (await findServed('profile', name))?.enabled,
      (await other.find('profile', name))?.enabled,
    ];
    expect(await enabledOnBoth()).toEqual([false, false]);
    await test.call('enableAcmeProfile', { params: { uuid } });
    expect(await enabledOnBoth()).toEqual([true, false]);
    test.clock.advance(5_000);
    expect(await enabledOnBoth()).toEqual([true, true]);

    const servedValidity = async () => (await findServed('raProfile', raProfile.name))?.validity;
    expect(await servedValidity()).toBeUndefined();
    await activate(uuid, raProfile.uuid);
    expect(await servedValidity()).toBe(36_000);
    await test.call('editAcmeProfile', { params: { uuid }, body: editRequest({ validity: 60 }) });
    expect(await servedValidity()).toBe(60);
    await test.call('deactivateAcmeForRaProfile', {
      params: { authorityUuid: test.authorityUuid, raProfileUuid: raProfile.uuid },
    });
    expect(await servedValidity()).toBeUndefined();
    await test.call('deleteAcmeProfile', { params: { uuid } });
    expect(await findServed('profile', name)).toBeUndefined();
  });

  it('requires no query, and an unknown name requires one lookup', async () => {
    const name = profileName();
    await test.addProfile({ name });
    const first = await findServed('profile', name);
    await test.database.query('UPDATE acme_profile SET validity_s = 1 WHERE name = $1', [name]);
    expect(await findServed('profile', name)).toBe(first);
    const missing = profileName();
    expect(await findServed('profile', missing)).toBeUndefined();
    await test.addProfile({ name: missing });
    expect(await findServed('profile', missing)).toBeDefined();
  });
});
