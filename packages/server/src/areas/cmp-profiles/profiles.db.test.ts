import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import { makeRoot } from '../certificates/testing/test-certificates.ts';
import {
  cmpProfilesFixture,
  ORIGIN,
  SECRET,
  settings,
  type CmpProfilesFixture,
} from './testing/cmp-profiles-fixture.ts';

let test: CmpProfilesFixture;

beforeAll(async () => {
  test = await cmpProfilesFixture();
});
afterAll(() => test.close());

const paramsOf = (cmpProfileUuid: string) => ({ cmpProfileUuid });
const detail = (uuid: string) => test.call('getCmpProfile', { params: paramsOf(uuid) });
const edit = (uuid: string, facts: object = {}) =>
  test.call('editCmpProfile', { params: paramsOf(uuid), body: settings(facts) });
const findServed = (name: string) => test.cmpProfiles.served.find('profile', name);
const secretOf = async (name: string) => (await findServed(name))?.sharedSecret?.reveal();
const signing = (signingCertificateUuid: string) => ({
  requestProtectionMethod: 'signature',
  responseProtectionMethod: 'signature',
  signingCertificateUuid,
});

describe('a new CMP profile', () => {
  it('is disabled, has the defaults of the interface, and has no URL', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    const { certificateAssociations, ...shown } = await detail(uuid);
    expect(certificateAssociations).toBeUndefined();
    expect(shown).toEqual({
      uuid, name, enabled: false, variant: 'v2',
      requestProtectionMethod: 'sharedSecret', responseProtectionMethod: 'sharedSecret',
      implicitConfirmation: true, oneTimeSecrets: true, trustedAuthorities: [], registrationAuthorities: [],
      requireManualApproval: false, centralKeys: false, bindNames: true, weakSecret: false, maxMacIterations: 100_000,
      acceptBothProtections: false, strictMessages: true, messageTimeTolerance: 300,
      customAttributes: [], issueCertificateAttributes: [], revokeCertificateAttributes: [],
    }); // prettier-ignore
  });

  it('has a URL if it has an RA profile, also in the list', async () => {
    const raProfile = await test.addRaProfile();
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name, raProfileUuid: raProfile.uuid, description: 'for the factory' });
    const listed = (await test.call('listCmpProfiles')).find((each) => each.uuid === uuid);
    expect(listed).toEqual({
      uuid,
      name,
      enabled: false,
      variant: 'v2',
      description: 'for the factory',
      raProfile: { ...raProfile, enabled: true, authorityInstanceUuid: test.authorityUuid },
      cmpUrl: `${ORIGIN}/api/v1/protocols/cmp/${name}`,
      bindNames: true,
      weakSecret: false,
    });
    expect(await detail(uuid)).toMatchObject(listed ?? {});
  });

  it('must have a unique name', async () => {
    const name = `cmp-${newUuid()}`;
    await test.addProfile({ name });
    await expect(test.addProfile({ name })).rejects.toMatchObject({ code: 'already_exists' });
  });

  it.each([
    ['the reserved name of RA profile URLs', { name: 'raProfile' }, 'rejected_by_rules', /^The name raProfile is reserved: RA profile URLs/],
    ['no secret', { sharedSecret: undefined }, 'rejected_by_rules', /^sharedSecret: is required/],
    ['a malformed trusted authority', { trustedAuthorities: ['AAAA'] }, 'rejected_by_rules',
      /^trustedAuthorities\[0\]: must be/],
    ['central keys together with manual approval', { centralKeys: true, requireManualApproval: true }, 'rejected_by_rules', /^centralKeys: /],
    ['an RA profile that does not exist', { raProfileUuid: newUuid() }, 'object_not_found', /RA profile/],
    ['an owner who does not exist', { certificateAssociations: { ownerUuid: newUuid() } }, 'object_not_found', /User/i],
  ] as const)('is rejected with %s', async (_what, facts, code, words) => {
    const name = `cmp-${newUuid()}`;
    await expect(test.addProfile({ name, ...facts })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words),
    });
    expect((await test.call('listCmpProfiles')).map((each) => each.name)).not.toContain(name);
  }); // prettier-ignore

  it('reports all problems with its name and settings together', async () => {
    const facts = { name: 'raProfile', sharedSecret: '', trustedAuthorities: ['AAAA'] };
    await expect(test.addProfile(facts)).rejects.toMatchObject({
      parameters: { problems: [expect.any(String), expect.any(String), expect.any(String), expect.any(String)] },
    });
  });
});

describe('the shared secret', () => {
  it('is kept by an edit that omits it, replaced by an edit that contains it, and never shown', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    expect(await secretOf(name)).toBe(SECRET);
    const edited = await edit(uuid, { description: 'changed' });
    expect([edited.description, await secretOf(name)]).toEqual(['changed', SECRET]);
    const replaced = await edit(uuid, { sharedSecret: 'another secret' });
    expect(await secretOf(name)).toBe('another secret');
    expect(JSON.stringify([edited, replaced, await detail(uuid)])).not.toMatch(/secret of the factory|another secret/);
  });

  it('is never stored in plaintext, in any row or audit record', async () => {
    await test.addProfile();
    const rows = await test.database.query(
      'SELECT to_jsonb(p)::text AS text FROM cmp_profile p UNION ALL SELECT to_jsonb(a)::text FROM audit_record a',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('must not be empty, and is left unchanged by a rejected edit', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    await expect(edit(uuid, { sharedSecret: '' })).rejects.toMatchObject({ code: 'rejected_by_rules' });
    expect(await secretOf(name)).toBe(SECRET);
  });
});

describe('a shared secret of fewer than 16 bytes', () => {
  it.each([
    ['fifteen letters', true],
    ['sixteen letters!', false],
    ['öööööööö', false],
  ])('%j marks the profile as weak: %s', async (sharedSecret, weakSecret) => {
    const uuid = await test.addProfile({ name: `cmp-${newUuid()}`, sharedSecret });
    const listed = (await test.call('listCmpProfiles')).find((each) => each.uuid === uuid);
    expect([(await detail(uuid)).weakSecret, listed?.weakSecret]).toEqual([weakSecret, weakSecret]);
  });

  it('causes the profile to be marked as weak until the secret is replaced', async () => {
    const uuid = await test.addProfile({ name: `cmp-${newUuid()}`, sharedSecret: 'short' });
    expect((await edit(uuid, {})).weakSecret).toBe(true);
    expect((await edit(uuid, { sharedSecret: 'a secret that is long' })).weakSecret).toBe(false);
  });
});

describe('the MAC iteration limit', () => {
  it('is kept by an edit that omits it', async () => {
    const uuid = await test.addProfile({ name: `cmp-${newUuid()}`, maxMacIterations: 600_000 });
    expect((await edit(uuid, { description: 'changed' })).maxMacIterations).toBe(600_000);
    expect((await edit(uuid, { maxMacIterations: 50_000 })).maxMacIterations).toBe(50_000);
  });
});

describe('the certificate for signing responses', () => {
  it('is checked for key types that CMP can sign with, and rejected with the problem found', async () => {
    const uuid = newUuid();
    test.problems.set(uuid, 'The certificate cmp.example is revoked. Choose a different certificate.');
    await expect(test.addProfile(signing(uuid))).rejects.toMatchObject({
      parameters: {
        problems: ['signingCertificateUuid: The certificate cmp.example is revoked. Choose a different certificate.'],
      },
    });
    expect(test.uses.at(-1)).toEqual({ families: ['RSA', 'ECDSA'] });
    test.problems.delete(uuid);
    const name = `cmp-${newUuid()}`;
    await test.addProfile({ name, ...signing(uuid) });
    expect(await findServed(name)).toMatchObject({
      responseProtectionMethod: 'signature',
      signingCertificateUuid: uuid,
    });
  });

  it('is checked again by an edit, which has no effect if the certificate is rejected', async () => {
    const [name, signer] = [`cmp-${newUuid()}`, newUuid()];
    const uuid = await test.addProfile({ name, ...signing(signer) });
    test.problems.set(signer, 'It was deleted.');
    await expect(edit(uuid, { ...signing(signer), description: 'changed' })).rejects.toThrow(/It was deleted/);
    expect((await detail(uuid)).description).toBeUndefined();
  });
});

describe('an edit to a CMP profile', () => {
  it('keeps omitted settings, and changes the others', async () => {
    const trusted = (await makeRoot('Maker')).base64;
    const own = {
      implicitConfirmation: false,
      oneTimeSecrets: false,
      trustedAuthorities: [trusted],
      registrationAuthorities: [trusted],
      requireManualApproval: true,
    };
    const uuid = await test.addProfile({ ...own, variant: 'v3', description: 'old' });
    expect(await edit(uuid)).toMatchObject({ ...own, variant: 'v2', description: undefined });
    expect(await edit(uuid, { trustedAuthorities: [], requireManualApproval: false, centralKeys: true })).toMatchObject(
      { implicitConfirmation: false, trustedAuthorities: [], registrationAuthorities: [trusted], centralKeys: true },
    );
    await expect(edit(uuid, { requireManualApproval: true })).rejects.toThrow(
      /^centralKeys: cannot be combined with requireManualApproval/,
    );
  });

  it('does not change the name, and is rejected if the profile does not exist', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    expect((await edit(uuid, { name: 'renamed' })).name).toBe(name);
    await expect(edit(newUuid(), { sharedSecret: SECRET })).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('has no effect if its audit record cannot be written', async () => {
    const name = `cmp-${newUuid()}`;
    const uuid = await test.addProfile({ name });
    test.audit.isBroken = true;
    try {
      await expect(edit(uuid, { sharedSecret: 'another secret' })).rejects.toThrow('audit trail');
    } finally {
      test.audit.isBroken = false;
    }
    expect(await secretOf(name)).toBe(SECRET);
  });
});
