// Profiles that clients select by name (draft-ietf-acme-profiles-00): each is an RA profile in addition to that of the
// ACME profile.
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { createAuthority, defaultProfile } from './testing/profiles.ts';

const acme = sharedAcmeServer();
let raProfileUuid: string;
let own: string;

beforeAll(async () => {
  ({ raProfileUuid } = await createAuthority(acme.server.client, { name: 'Second Root' }));
  ({ raProfileUuid: own } = await defaultProfile(acme.server.client));
});

const secondProfile = (): { name: string; description: string; raProfileUuid: string } => ({
  name: 'second',
  description: 'Issued by the second authority',
  raProfileUuid,
});

async function proveAndFinalize(client: AcmeTestClient, wanted: object, name: string) {
  const placed = await client.newOrder({ identifiers: [{ type: 'dns', value: name }], ...wanted });
  expect(placed.status, placed.text).toBe(201);
  for (const url of placed.body.authorizations) expect((await acme.prove(client, url)).status).toBe('valid');
  const { der } = await makeSigningRequest({ names: [name] });
  return { placed, done: await client.finalize(placed.body.finalize, der) };
}

async function issuerOf(client: AcmeTestClient, certificateUrl = ''): Promise<string> {
  return new X509Certificate((await client.download(certificateUrl)).text).issuer;
}

describe('a directory that offers profiles', () => {
  let profile: AcmeProfileOfTest;
  let client: AcmeTestClient;

  beforeAll(async () => {
    profile = await addAcmeProfile(acme, { offeredProfiles: [secondProfile()] });
    client = await acme.account({ directoryUrl: profile.directoryUrl });
  });

  it('lists the profiles with their descriptions (§3)', async () => {
    expect((await client.directory()).meta?.profiles).toEqual({ second: 'Issued by the second authority' });
  });

  it('issues under the profile selected in the order, and shows it in the order (§4)', async () => {
    const { placed, done } = await proveAndFinalize(client, { profile: 'second' }, acme.host('chosen'));
    expect([placed.body.profile, done.body.profile, done.body.status]).toEqual(['second', 'second', 'valid']);
    expect((await client.order(placed.location ?? '')).body.profile).toBe('second');
    expect(await issuerOf(client, done.body.certificate)).toBe('CN=Second Root');
  });

  it('issues as usual for an order that does not select a profile', async () => {
    const { placed, done } = await proveAndFinalize(client, {}, acme.host('plain'));
    expect(placed.body).not.toHaveProperty('profile');
    expect(await issuerOf(client, done.body.certificate)).toBe('CN=Signetry Root');
  });

  it('rejects a profile that it does not offer (§4)', async () => {
    const order = (value: unknown) =>
      client.newOrder({ identifiers: [{ type: 'dns', value: 'a.test' }], profile: value });
    const { detail } = expectProblem(await order('third'), 400, 'invalidProfile');
    expect(detail).toContain('Available profiles: second.');
    expectProblem(await order(''), 400, 'invalidProfile');
    expectProblem(await order(7), 400, 'malformed');
  });

  it('invalidates an order whose profile is no longer offered (§4)', async () => {
    const name = acme.host('withdrawn');
    const { order, url } = await acme.readyOrder(client, {
      identifiers: [{ type: 'dns', value: name }],
      profile: 'second',
    });
    await profile.edit({ offeredProfiles: [] });
    const { der } = await makeSigningRequest({ names: [name] });
    expectProblem(await client.finalize(order.finalize, der), 400, 'invalidProfile');
    expect((await client.order(url)).body).toMatchObject({
      status: 'invalid',
      error: { type: 'urn:ietf:params:acme:error:invalidProfile' },
    });
    await profile.edit({ offeredProfiles: [secondProfile()] });
  });

  it("selects its own RA profile's entry by default, if that profile is offered (§4)", async () => {
    const usual = { name: 'usual', description: 'As without a choice', raProfileUuid: own };
    const { directoryUrl } = await addAcmeProfile(acme, { offeredProfiles: [secondProfile(), usual] });
    const account = await acme.account({ directoryUrl });
    const { placed, done } = await proveAndFinalize(account, {}, acme.host('usual'));
    expect(placed.body.profile).toBe('usual');
    expect(await issuerOf(account, done.body.certificate)).toBe('CN=Signetry Root');
  });
});

describe('a directory that offers no profiles', () => {
  it('lists none, and rejects orders that select one', async () => {
    const { directoryUrl } = await addAcmeProfile(acme);
    const client = await acme.account({ directoryUrl });
    expect((await client.directory()).meta).not.toHaveProperty('profiles');
    const order = { identifiers: [{ type: 'dns', value: 'a.test' }], profile: 'second' };
    expectProblem(await client.newOrder(order), 400, 'invalidProfile');
  });
});
