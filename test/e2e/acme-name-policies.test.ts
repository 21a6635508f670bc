// Which names can be ordered: the policies of the ACME profile and of the external account key, both of which must
// allow a name.
import type { AcmeProblem, AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();

const identifiersOf = ({ subproblems = [] }: AcmeProblem) =>
  subproblems.map(({ type, identifier }) => [type.split(':').at(-1), identifier?.value]);

describe("an ACME profile's policy", () => {
  let profile: AcmeProfileOfTest;
  let client: AcmeTestClient;

  beforeAll(async () => {
    profile = await addAcmeProfile(acme, {
      namePolicy: {
        allowedDnsSuffixes: ['acme.test'],
        deniedDnsSuffixes: ['secret.acme.test'],
        allowedIpRanges: ['127.0.0.0/8'],
        allowWildcards: false,
      },
    });
    client = await acme.account({ directoryUrl: profile.directoryUrl });
  });

  it('accepts an allowed name, and a certificate is issued for it', async () => {
    const { chain } = await acme.issue(client, [acme.host('allowed')]);
    expect(chain).toContain('BEGIN CERTIFICATE');
  });

  it('rejects a name, and reports the rule that the name violates', async () => {
    const problem = expectProblem(await client.newOrder(['www.other.test']), 400, 'rejectedIdentifier');
    expect(identifiersOf(problem)).toEqual([['rejectedIdentifier', 'www.other.test']]);
    expect(problem.subproblems?.[0]?.detail).toBe(
      `www.other.test is denied by ACME profile ${profile.name}: it is not within any of the allowed DNS suffixes (acme.test).`,
    );
  });

  it('rejects each name separately (RFC 8555 §6.7.1)', async () => {
    const names = ['good.acme.test', 'a.secret.acme.test', '*.wild.acme.test', '192.0.2.1', '127.0.0.1'];
    const problem = expectProblem(await client.newOrder(names), 400, 'compound');
    expect(identifiersOf(problem)).toEqual([
      ['rejectedIdentifier', 'a.secret.acme.test'],
      ['rejectedIdentifier', '*.wild.acme.test'],
      ['rejectedIdentifier', '192.0.2.1'],
    ]);
    expect(problem.subproblems?.map(({ detail = '' }) => detail.replace(/^.*?: /, ''))).toEqual([
      'the DNS suffix secret.acme.test is denied.',
      'wildcards are not allowed.',
      'it is not within any of the allowed IP ranges (127.0.0.0/8).',
    ]);
  });

  it('remains after an edit that omits it, and is removed by an edit with an empty policy', async () => {
    const { client: admin } = acme.server;
    const params = { uuid: profile.uuid };
    await profile.edit({ description: 'edited' });
    const kept = await admin.acmeProfiles.getAcmeProfile({ params });
    expect(kept.namePolicy).toEqual({
      allowedDnsSuffixes: ['acme.test'],
      deniedDnsSuffixes: ['secret.acme.test'],
      allowedIpRanges: ['127.0.0.0/8'],
      deniedIpRanges: [],
      allowWildcards: false,
    });
    await profile.edit({ namePolicy: {} });
    expect(await admin.acmeProfiles.getAcmeProfile({ params })).not.toHaveProperty('namePolicy');
    expect((await client.newOrder(['*.other.test'])).status).toBe(201);
  });
});

describe("an external account key's policy", () => {
  it("further restricts the profile's policy, but only for accounts created with the key", async () => {
    const { uuid, directoryUrl } = await addAcmeProfile(acme, { namePolicy: { allowedDnsSuffixes: ['acme.test'] } });
    const key = await acme.server.client.acmeEabKeys.createAcmeEabKey({
      params: { uuid },
      body: { namePolicy: { allowedDnsSuffixes: ['team.acme.test', 'other.test'] } },
    });
    const bound = await acme.client({ directoryUrl });
    const binding = await bound.eab({ keyId: key.keyId, macKey: key.macKey });
    expect((await bound.newAccount({ externalAccountBinding: binding })).status).toBe(201);
    const free = await acme.account({ directoryUrl });

    expect((await bound.newOrder(['www.team.acme.test'])).status).toBe(201);
    expect((await free.newOrder(['www.acme.test'])).status).toBe(201);
    const byKey = expectProblem(await bound.newOrder(['www.acme.test']), 400, 'rejectedIdentifier');
    expect(byKey.subproblems?.[0]?.detail).toContain('denied by the external account key of this account');
    const byProfile = expectProblem(await bound.newOrder(['www.other.test']), 400, 'rejectedIdentifier');
    expect(byProfile.subproblems?.[0]?.detail).toContain('denied by ACME profile');

    await acme.server.client.acmeEabKeys.revokeAcmeEabKey({ params: { uuid, keyUuid: key.uuid } });
    expectProblem(await bound.newOrder(['www.acme.test']), 400, 'rejectedIdentifier');
  });
});
