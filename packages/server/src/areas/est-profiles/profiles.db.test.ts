import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { estProfilesFixture, ORIGIN, PASSWORD, type EstProfilesFixture } from './testing/est-profiles-fixture.ts';

let test: EstProfilesFixture;

beforeAll(async () => {
  test = await estProfilesFixture();
});
afterAll(() => test.close());

const paramsOf = (estProfileUuid: string) => ({ estProfileUuid });
const detail = (uuid: string) => test.call('getEstProfile', { params: paramsOf(uuid) });
const edit = (uuid: string, body: object = {}) => test.call('editEstProfile', { params: paramsOf(uuid), body });
const findServed = (name: string) => test.estProfiles.served.find('profile', name);
const device = { username: 'device', password: PASSWORD };

describe('a new EST profile', () => {
  it('is disabled, has the API defaults, and has no URL without an RA profile', async () => {
    const { uuid, name } = await test.addProfile();
    const { certificateAssociations, ...shown } = await detail(uuid);
    expect(certificateAssociations).toBeUndefined();
    expect(shown).toEqual({
      uuid, name, enabled: false, isDefault: false, ownCertificates: true, trustedCertificateUuids: [],
      oneTimePasswords: true, passwordsRenew: false, renewalsKeepNames: true, bindNames: true, requireLinking: false,
      requestedAttributes: {}, manualApproval: false, serverKeys: false, retryAfter: 60, users: [],
      issueCertificateAttributes: [],
    }); // prettier-ignore
    expect(await findServed(name)).toMatchObject({ enabled: false, raProfile: undefined });
  });

  it('has a URL if it has an RA profile, and the list shows the URL as well', async () => {
    const raProfile = await test.addRaProfile();
    const { uuid, name } = await test.addProfile({ raProfileUuid: raProfile.uuid, description: 'for doors' });
    const listed = (await test.call('listEstProfiles')).find((each) => each.uuid === uuid);
    expect(listed).toEqual({
      uuid,
      name,
      enabled: false,
      isDefault: false,
      description: 'for doors',
      raProfile: { ...raProfile, enabled: true, authorityInstanceUuid: test.authorityUuid },
      url: `${ORIGIN}/.well-known/est/${name}`,
      bindNames: true,
    });
    expect(await detail(uuid)).toMatchObject(listed ?? {});
  });

  it.each([
    ['a reserved name', { name: 'raProfile' }, 'The name raProfile is reserved: RA profile URLs start with it.'],
    ['a name that does not fit in a URL', { name: 'a b' }, 'EST profile appears in URLs'],
    ['a retry interval of zero', { retryAfter: 0 }, 'retryAfter: must be between 1 and 86400 seconds'],
    [
      'a new user without a password',
      { users: [{ username: 'device' }] },
      'users: "device" is new and requires a password',
    ],
  ])('is rejected for %s', async (_what, facts, words) => {
    await expect(test.addProfile(facts)).rejects.toMatchObject({
      code: 'rejected_by_rules',
      message: expect.stringContaining(words),
    });
  });

  it('requires a unique name and existing trusted certificates, and all problems are returned in one response', async () => {
    const { name } = await test.addProfile();
    await expect(test.addProfile({ name })).rejects.toMatchObject({ code: 'already_exists' });
    await expect(test.addProfile({ name: 'a b', retryAfter: 0 })).rejects.toMatchObject({
      parameters: { problems: [expect.stringContaining('URLs'), expect.stringContaining('retryAfter')] },
    });
    const missing = newUuid();
    await expect(test.addProfile({ trustedCertificateUuids: [missing] })).rejects.toMatchObject({
      code: 'object_not_found',
      message: `Certificate ${missing} does not exist or is not visible to you.`,
    });
  });

  it('trusts inventory certificates, regardless of UUID case and duplicates', async () => {
    const known = newUuid();
    test.inventory.add(known);
    const { uuid } = await test.addProfile({ trustedCertificateUuids: [known.toUpperCase(), known] });
    expect((await detail(uuid)).trustedCertificateUuids).toEqual([known]);
  });
});

describe('passwords', () => {
  it('are not returned or stored in plain text, but are available to the protocol', async () => {
    const { uuid, name } = await test.addProfile({ users: [device] });
    expect((await detail(uuid)).users).toEqual([{ username: 'device' }]);
    const [row] = await test.database.query('SELECT * FROM est_profile WHERE uuid = $1', [uuid]);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
    expect(await findServed(name)).toMatchObject({ passwords: new Map([['device', PASSWORD]]) });
  });

  it('are kept if an edit lists only user names, and are deleted along with any user that the edit omits', async () => {
    const gate = { username: 'gate', password: 'another long password' };
    const { uuid, name } = await test.addProfile({ users: [device, gate] });
    await edit(uuid, { users: [{ username: 'device' }] });
    expect((await findServed(name))?.passwords).toEqual(new Map([['device', PASSWORD]]));
    await expect(edit(uuid, { users: [{ username: 'gate' }] })).rejects.toMatchObject({
      parameters: { problems: ['users: "gate" is new and requires a password'] },
    });
    await edit(uuid, {});
    expect((await findServed(name))?.passwords).toEqual(new Map());
  });

  it('are replaced immediately', async () => {
    const { uuid, name } = await test.addProfile({ users: [device] });
    expect((await findServed(name))?.passwords.get('device')).toBe(PASSWORD);
    await edit(uuid, { users: [{ ...device, password: 'a new long password' }] });
    expect((await findServed(name))?.passwords.get('device')).toBe('a new long password');
  });
});

describe('the default profile', () => {
  it('can exist only once, determines the default name, and must be unset before a different profile can become the default', async () => {
    const first = await test.addProfile({ isDefault: true });
    expect(await test.estProfiles.served.defaultName()).toBe(first.name);
    const words = `isDefault: the EST profile ${first.name} is already the default; remove the default from that profile first`;
    await expect(test.addProfile({ isDefault: true })).rejects.toMatchObject({ parameters: { problems: [words] } });
    const second = await test.addProfile();
    await expect(edit(second.uuid, { isDefault: true })).rejects.toMatchObject({ parameters: { problems: [words] } });
    expect(await edit(first.uuid, { isDefault: true, retryAfter: 5 })).toMatchObject({ isDefault: true });
    await edit(first.uuid);
    expect(await test.estProfiles.served.defaultName()).toBeUndefined();
    expect(await edit(second.uuid, { isDefault: true })).toMatchObject({ isDefault: true });
    await edit(second.uuid);
  });

  it('remains unique even if multiple profiles are set as the default concurrently, and all other requests fail', async () => {
    const ended = await Promise.allSettled([1, 2, 3].map(() => test.addProfile({ isDefault: true })));
    const refused = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    expect(refused.map(({ message }) => message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^isDefault: (?:the|a different) EST profile .* first$/)),
    );
    const defaults = (await test.call('listEstProfiles')).filter(({ isDefault }) => isDefault);
    expect(defaults).toHaveLength(1);
  });
});
