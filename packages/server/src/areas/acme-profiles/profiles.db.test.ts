import { acmeProfileOperations } from '@signetry/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRL_URL, PASSWORD } from '../connectors/testing/fake-connector.ts';
import { allPermissions, coreContext, coreContextFor, noPermissions, type PermissionSet } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import {
  crlUrl,
  defineAttributes,
  DIRECTORY_BASE,
  editRequest,
  acmeProfilesFixture,
  profileName,
  type AcmeProfilesFixture,
} from './testing/acme-profiles-fixture.ts';

let test: AcmeProfilesFixture;

beforeAll(async () => {
  test = await acmeProfilesFixture();
});
afterAll(() => test.close());

const detail = (uuid: string) => test.call('getAcmeProfile', { params: { uuid } });
const edit = (uuid: string, facts: object = {}) =>
  test.call('editAcmeProfile', { params: { uuid }, body: editRequest(facts) });
const password = (secret?: string) => ({
  uuid: PASSWORD.uuid,
  name: PASSWORD.name,
  contentType: 'secret',
  content: [{ data: secret === undefined ? {} : { secret } }],
});

describe('a new ACME profile', () => {
  it('is disabled and has the defaults of the interface', async () => {
    const name = profileName();
    const uuid = await test.addProfile({ name });
    expect(await detail(uuid)).toEqual({
      uuid, name, enabled: false, customAttributes: [], dnsResolverPort: '53', retryInterval: 30, validity: 36_000, requireContact: false,
      requireTermsOfService: false, termsOfServiceChangeDisable: false, issueCertificateAttributes: [], revokeCertificateAttributes: [],
      externalAccountRequired: false, externalAccountValidates: false, caaByDefault: true, authorizationReuse: 0, allowLoopbackValidation: false,
      offeredProfiles: [], additionalChallenges: [],
    }); // prettier-ignore
    expect(await test.audits(uuid)).toEqual(['create']);
  });

  it('checks CAA by default; an edit can turn this off and restore the default', async () => {
    const uuid = await test.addProfile();
    const caaAfter = async (change: object) => {
      await test.call('editAcmeProfile', { params: { uuid }, body: editRequest(change) });
      const { caaByDefault, caaIdentities } = await detail(uuid);
      return [caaByDefault, caaIdentities];
    };
    expect(await caaAfter({})).toEqual([true, undefined]);
    expect(await caaAfter({ caaIdentities: [] })).toEqual([false, []]);
    expect(await caaAfter({})).toEqual([false, []]);
    expect(await caaAfter({ caaIdentities: ['Pki.test'] })).toEqual([false, ['pki.test']]);
    expect(await caaAfter({ caaByDefault: true })).toEqual([true, undefined]);
    const off = await test.addProfile({ caaIdentities: [] });
    expect((await detail(off)).caaIdentities).toEqual([]);
  });

  it('has the specified additional challenges, which an edit that omits them does not change', async () => {
    const uuid = await test.addProfile({ caaIdentities: ['pki.test'], additionalChallenges: ['dns-persist-01'] });
    const after = async (change: object) => {
      await test.call('editAcmeProfile', { params: { uuid }, body: editRequest(change) });
      return (await detail(uuid)).additionalChallenges;
    };
    expect(await after({})).toEqual(['dns-persist-01']);
    const twice = ['dns-account-01', 'dns-persist-01', 'dns-account-01'];
    expect(await after({ additionalChallenges: twice })).toEqual(['dns-account-01', 'dns-persist-01']);
    expect(await after({ additionalChallenges: [], caaIdentities: [] })).toEqual([]);
    await expect(after({ additionalChallenges: ['dns-persist-01'] })).rejects.toThrow(
      /requires an issuer domain name for its records, but caaIdentities is empty/,
    );
  });

  it('stores the specified values, and has a directory URL if it is assigned an RA profile', async () => {
    const raProfile = await test.addRaProfile();
    const { uuid: groupUuid } = await test.call('createGroup', { body: { name: `group ${newUuid()}` } });
    const given = {
      name: profileName(),
      description: 'for the web team',
      termsOfServiceUrl: 'https://pki.test/terms',
      websiteUrl: 'https://pki.test',
      dnsResolverIp: '192.0.2.53',
      dnsResolverPort: '5353',
      retryInterval: 5,
      validity: 600,
      requireContact: true,
      requireTermsOfService: true,
      certificateAssociations: { ownerUuid: test.ownerUuid, groupUuids: [groupUuid] },
      externalAccountRequired: true,
      caaIdentities: ['pki.test'],
      authorizationReuse: 60,
      allowLoopbackValidation: true,
    };
    const uuid = await test.addProfile({
      ...given,
      caaIdentities: ['PKI.test', 'pki.test'],
      raProfileUuid: raProfile.uuid,
    });
    expect(await detail(uuid)).toMatchObject({
      ...given,
      raProfile: { ...raProfile, enabled: true, authorityInstanceUuid: test.authorityUuid },
      directoryUrl: `${DIRECTORY_BASE}/api/v1/protocols/acme/${given.name}/directory`,
    });
    const listed = (await test.call('listAcmeProfiles')).find((each) => each.uuid === uuid);
    expect(listed).toEqual({
      uuid,
      name: given.name,
      description: given.description,
      enabled: false,
      raProfile: { ...raProfile, enabled: true, authorityInstanceUuid: test.authorityUuid },
      directoryUrl: `${DIRECTORY_BASE}/api/v1/protocols/acme/${given.name}/directory`,
    });
  });

  it('must have a unique name, even if two profiles are created concurrently', async () => {
    const name = profileName();
    const outcomes = await Promise.allSettled([test.addProfile({ name }), test.addProfile({ name })]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(test.addProfile({ name })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it.each([
    ['a name that cannot appear in a URL', { name: 'with space' }, 'rejected_by_rules'],
    ['the reserved name of RA profile URLs', { name: 'raProfile' }, 'rejected_by_rules'],
    ['settings out of range', { retryInterval: -1 }, 'rejected_by_rules'],
    ['custom attributes', { customAttributes: [crlUrl('x')] }, 'rejected_by_rules'],
    ['custom attributes for its certificates', { certificateAssociations: { customAttributes: [crlUrl('x')] } }, 'rejected_by_rules'],
    ['an owner that does not exist', { certificateAssociations: { ownerUuid: newUuid() } }, 'object_not_found'],
    ['a group that does not exist', { certificateAssociations: { groupUuids: [newUuid()] } }, 'object_not_found'],
    ['an RA profile that does not exist', { raProfileUuid: newUuid() }, 'object_not_found'],
    ['an RA profile with a malformed UUID', { raProfileUuid: 'none' }, 'object_not_found'],
    ['attributes without an RA profile', { issueCertificateAttributes: [crlUrl('http://x')] }, 'rejected_by_rules'],
  ])('is rejected for %s', async (_what, facts, code) => {
    const name = profileName();
    await expect(test.addProfile({ name, ...facts })).rejects.toMatchObject({ code });
    expect((await test.call('listAcmeProfiles')).map((each) => each.name)).not.toContain(name);
  }); // prettier-ignore
});

describe('the attributes of an ACME profile', () => {
  beforeAll(() => {
    const required = { ...CRL_URL, properties: { label: 'CRL', required: true } };
    defineAttributes(test.connector, { purpose: 'issue', definitions: [required, PASSWORD] });
    defineAttributes(test.connector, {
      purpose: 'revoke',
      definitions: [{ ...CRL_URL, uuid: newUuid(), name: 'data_why' }],
    });
    test.clock.advance(10_000);
  });
  afterAll(() => {
    defineAttributes(test.connector, { purpose: 'issue', definitions: [] });
    defineAttributes(test.connector, { purpose: 'revoke', definitions: [] });
    test.clock.advance(10_000);
  });

  it("are validated by its RA profile's authority", async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    await expect(test.addProfile({ raProfileUuid })).rejects.toMatchObject({
      parameters: { problems: ['Attribute CRL (data_crlUrl) is required.'] },
    });
    const issueCertificateAttributes = [crlUrl('http://x')];
    const uuid = await test.addProfile({
      raProfileUuid,
      issueCertificateAttributes,
      revokeCertificateAttributes: [{ ...crlUrl('http://y'), name: 'data_why' }],
    });
    expect(await detail(uuid)).toMatchObject({
      issueCertificateAttributes: [{ name: 'data_crlUrl', label: 'CRL', content: [{ data: 'http://x' }] }],
      revokeCertificateAttributes: [{ name: 'data_why', content: [{ data: 'http://y' }] }],
    });
  });

  it('keep their secrets if an edit omits them, and are returned without secrets', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const values = (secret?: string) => ({
      raProfileUuid,
      issueCertificateAttributes: [crlUrl('http://x'), password(secret)],
    });
    const uuid = await test.addProfile(values('s3cret'));
    const edited = await edit(uuid, values());
    expect(JSON.stringify(edited)).not.toContain('s3cret');
    const { name } = edited;
    await expect(test.acmeProfiles.served.find('profile', name)).resolves.toMatchObject({
      issueAttributes: expect.arrayContaining([
        expect.objectContaining({ name: 'data_password', content: [{ data: { secret: 's3cret' } }] }),
      ]),
    });
  });

  it('are removed with the RA profile, but kept if the next one uses the same connector', async () => {
    const [first, second] = [await test.addRaProfile(), await test.addRaProfile(await test.addAuthority())];
    const uuid = await test.addProfile({
      raProfileUuid: first.uuid,
      issueCertificateAttributes: [crlUrl('http://x')],
    });
    await test.call('updateRaProfile_AcmeProfile', { params: { uuid, raProfileUuid: second.uuid } });
    expect(await detail(uuid)).toMatchObject({
      raProfile: { uuid: second.uuid },
      issueCertificateAttributes: [{ content: [{ data: 'http://x' }] }],
    });
    expect(await edit(uuid)).toMatchObject({ issueCertificateAttributes: [] });
    expect((await detail(uuid)).raProfile).toBeUndefined();
    expect(await test.database.query('SELECT FROM attribute_value WHERE object_uuid = $1', [uuid])).toEqual([]);
    // Without attributes, the new authority's requirements are not met.
    await expect(
      test.call('updateRaProfile_AcmeProfile', { params: { uuid, raProfileUuid: first.uuid } }),
    ).rejects.toMatchObject({ parameters: { problems: ['Attribute CRL (data_crlUrl) is required.'] } });
    expect(await test.audits(uuid)).toEqual(['create', 'updateProtocolIssueProfile', 'update']);
  });
});

describe('an edit', () => {
  it('replaces all published fields, but keeps Signetry extensions that are omitted', async () => {
    const own = {
      externalAccountRequired: true,
      caaIdentities: ['pki.test'],
      authorizationReuse: 60,
      allowLoopbackValidation: true,
    };
    const uuid = await test.addProfile({ description: 'old', websiteUrl: 'https://old.test', validity: 1, ...own });
    const edited = await edit(uuid, {
      termsOfServiceChangeDisable: true,
      termsOfServiceChangeUrl: 'https://new.test/changes',
    });
    expect(edited).toMatchObject({
      validity: 36_000,
      termsOfServiceChangeDisable: true,
      termsOfServiceChangeUrl: 'https://new.test/changes',
      ...own,
    });
    expect(edited).toMatchObject({ description: undefined, websiteUrl: undefined });
    const changed = {
      externalAccountRequired: false,
      caaIdentities: [],
      authorizationReuse: 0,
      allowLoopbackValidation: false,
    };
    expect(await edit(uuid, changed)).toMatchObject({ ...changed, termsOfServiceChangeDisable: false });
    expect(await test.audits(uuid)).toEqual(['create', 'update', 'update']);
  });

  it('is rejected if settings are invalid or the profile does not exist', async () => {
    const uuid = await test.addProfile({ description: 'kept' });
    await expect(edit(uuid, { dnsResolverPort: 'x' })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    await expect(edit(newUuid())).rejects.toMatchObject({ code: 'object_not_found' });
    expect((await detail(uuid)).description).toBe('kept');
    expect(await test.versionOf(uuid)).toBe(1);
  });

  it('shows an owner and groups only while they exist', async () => {
    const { uuid: groupUuid } = await test.call('createGroup', { body: { name: `group ${newUuid()}` } });
    const uuid = await test.addProfile({ certificateAssociations: { groupUuids: [groupUuid] } });
    expect((await detail(uuid)).certificateAssociations).toEqual({
      ownerUuid: undefined,
      groupUuids: [groupUuid],
      customAttributes: [],
    });
    await test.call('deleteGroup', { params: { uuid: groupUuid } });
    expect((await detail(uuid)).certificateAssociations).toBeUndefined();
  });
});

describe('the enabled state of an ACME profile', () => {
  it('can be changed, but not to the state that it already has', async () => {
    const uuid = await test.addProfile();
    const params = { uuid };
    await expect(test.call('disableAcmeProfile', { params })).rejects.toMatchObject({ code: 'invalid_state' });
    await test.call('enableAcmeProfile', { params });
    await expect(test.call('enableAcmeProfile', { params })).rejects.toThrow('is already enabled');
    expect((await detail(uuid)).enabled).toBe(true);
    await test.call('disableAcmeProfile', { params });
    await expect(test.call('enableAcmeProfile', { params: { uuid: newUuid() } })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    expect(await test.audits(uuid)).toEqual(['create', 'enable', 'disable']);
  });

  it('can be changed in bulk, which skips unknown profiles and those already in that state', async () => {
    const [first, second] = [await test.addProfile(), await test.addProfile()];
    await test.call('enableAcmeProfile', { params: { uuid: first } });
    await test.call('bulkEnableAcmeProfile', { body: [first, second, newUuid()] });
    expect([(await detail(first)).enabled, (await detail(second)).enabled]).toEqual([true, true]);
    await test.call('bulkDisableAcmeProfile', { body: [first, second] });
    await test.call('bulkDisableAcmeProfile', { body: [] });
    expect(await test.audits(first)).toEqual(['create', 'enable', 'disable']);
    expect(await test.audits(second)).toEqual(['create', 'enable', 'disable']);
  });
});

describe('the version of an ACME profile', () => {
  it('is incremented exactly once for each change, and not if nothing changes', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const uuid = await test.addProfile();
    const changes = [
      () => edit(uuid),
      () => test.call('enableAcmeProfile', { params: { uuid } }),
      () => test.call('bulkDisableAcmeProfile', { body: [uuid] }),
      () => test.call('updateRaProfile_AcmeProfile', { params: { uuid, raProfileUuid } }),
    ];
    const versions = [await test.versionOf(uuid)];
    for (const change of changes) {
      await change();
      versions.push(await test.versionOf(uuid));
    }
    expect(versions).toEqual([1, 2, 3, 4, 5]);
    await test.call('bulkDisableAcmeProfile', { body: [uuid] });
    expect(await test.versionOf(uuid)).toBe(5);
  });
});

describe('a change to an ACME profile', () => {
  it('has no effect if its audit record cannot be written', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const uuid = await test.addProfile({ raProfileUuid });
    const snapshot = () => test.database.query('SELECT * FROM acme_profile ORDER BY uuid');
    const before = await snapshot();
    test.audit.isBroken = true;
    try {
      const attempts = [
        () => test.addProfile(),
        () => edit(uuid),
        () => test.call('enableAcmeProfile', { params: { uuid } }),
        () => test.call('bulkEnableAcmeProfile', { body: [uuid] }),
        () => test.call('updateRaProfile_AcmeProfile', { params: { uuid, raProfileUuid } }),
        () => test.call('deleteAcmeProfile', { params: { uuid } }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe('the ACME profile created on the first start', () => {
  it('is created once and enabled, even if two nodes start concurrently', async () => {
    const { uuid: raProfileUuid } = await test.addRaProfile();
    const name = profileName();
    const context = coreContextFor(acmeProfileOperations.createAcmeProfile);
    const [one, other] = await Promise.all([
      test.acmeProfiles.ensure({ name, raProfileUuid }, context),
      test.otherNode().acmeProfiles.ensure({ name, raProfileUuid }, context),
    ]);
    expect(one).toBe(other);
    expect(await detail(one)).toMatchObject({ name, enabled: true, raProfile: { uuid: raProfileUuid } });
    expect(await test.audits(one)).toEqual(['create']);
    expect(await test.acmeProfiles.ensure({ name, raProfileUuid }, context)).toBe(one);
  });
});

describe('the names of ACME profiles', () => {
  it('are offered in searches to users who can list the profiles', async () => {
    const [shown, hidden] = [profileName(), profileName()];
    const uuid = await test.addProfile({ name: shown });
    await test.addProfile({ name: hidden });
    const [names] = test.furtherFields;
    const list = (permissions: PermissionSet) =>
      names?.list(test.database.executor, { ...coreContext('test'), actor: { ...coreContext('').actor, permissions } });
    const rights = { allowed: new Set(['list'] as const), denied: new Set<never>() };
    const acmeProfiles = { allowAllActions: false, actions: new Set<never>(), objects: new Map([[uuid, rights]]) };
    expect(names?.field).toBe('ACME_PROFILE');
    expect(await list(allPermissions)).toEqual(expect.arrayContaining([shown, hidden]));
    expect(await list({ allowAllResources: false, resources: new Map([['acmeProfiles', acmeProfiles]]) })).toEqual([
      shown,
    ]);
    expect(await list(noPermissions)).toEqual([]);
  });
});
