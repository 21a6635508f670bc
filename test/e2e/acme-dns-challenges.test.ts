// Challenges that a profile can offer in addition to the usual ones: dns-account-01 (draft-ietf-acme-dns-account-label)
// and dns-persist-01 (draft-ietf-acme-dns-persist-02).
import { createHash } from 'node:crypto';
import {
  dnsChallengeValue,
  generateAcmeKey,
  makeSigningRequest,
  type AcmeAuthorization,
  type AcmeChallenge,
  type AcmeTestClient,
  type DnsRecord,
} from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { pendingChallenge, type PendingChallenge } from './testing/pending-challenge.ts';
import { createAuthority } from './testing/profiles.ts';

const acme = sharedAcmeServer();
const BOTH = ['dns-account-01', 'dns-persist-01'] as const;
const CAA = { caaIdentities: ['CA.example', 'other-name.example'] };
let profile: AcmeProfileOfTest;
beforeAll(async () => {
  profile = await addAcmeProfile(acme, { ...CAA, additionalChallenges: [...BOTH] });
});

const account = (options: Parameters<typeof acme.account>[0] = {}) => acme.account({ ...profile, ...options });
const typeOf = (problem: { type: string } | undefined) => problem?.type.replace('urn:ietf:params:acme:error:', '');
const setTxt = (name: string, ...texts: readonly string[]): void => {
  acme.dns.zone[`${name} TXT`] = texts.map((text): DnsRecord => ({ type: 'TXT', strings: [text] }));
};
const typesIn = ({ challenges }: AcmeAuthorization): string[] => challenges.map(({ type }) => type);
const urlOf = ({ accountUrl = '' }: AcmeTestClient): string => accountUrl;

async function authorizationFor(client: AcmeTestClient, identifier: string): Promise<AcmeAuthorization> {
  const { body } = await client.newOrder([identifier]);
  return (await client.authorization(body.authorizations[0] ?? '')).body;
}

describe('a profile', () => {
  it('offers and advertises neither challenge type by default', async () => {
    const client = await acme.account(await addAcmeProfile(acme, CAA));
    expect(typesIn(await authorizationFor(client, 'www.acme.test'))).toEqual(['http-01', 'dns-01', 'tls-alpn-01']);
    const wildcard = await authorizationFor(client, '*.acme.test');
    expect(typesIn(wildcard)).toEqual(['dns-01']);
    for (const type of BOTH) {
      const url = wildcard.challenges[0]?.url.replace('dns-01', type) ?? '';
      expectProblem(await client.respond(url), 404, 'malformed');
    }
    const { meta } = await client.directory();
    expect(meta).not.toHaveProperty('issuerDomainNames');
    expect(meta).not.toHaveProperty('accountHashPrefix');
  });

  it('offers the configured challenge types, for DNS names only', async () => {
    const client = await acme.account(await addAcmeProfile(acme, { additionalChallenges: ['dns-account-01'] }));
    const usual = ['http-01', 'dns-01', 'tls-alpn-01'];
    expect(typesIn(await authorizationFor(client, 'www.acme.test'))).toEqual([...usual, 'dns-account-01']);
    const both = await account();
    expect(typesIn(await authorizationFor(both, 'www.acme.test'))).toEqual([...usual, ...BOTH]);
    expect(typesIn(await authorizationFor(both, '*.acme.test'))).toEqual(['dns-01', ...BOTH]);
    expect(typesIn(await authorizationFor(both, '192.0.2.1'))).toEqual(['http-01', 'tls-alpn-01']);
  });

  it('advertises the components of dns-persist-01 records (draft-ietf-acme-dns-persist-02 §3)', async () => {
    const client = await account();
    const base = profile.directoryUrl.replace(/directory$/, '');
    expect((await client.directory()).meta).toMatchObject({
      issuerDomainNames: ['ca.example', 'other-name.example'],
      caaIdentities: ['ca.example', 'other-name.example'],
      accountHashPrefix: `${base}account-hash/`,
    });
    const { challenges } = await authorizationFor(client, 'www.acme.test');
    expect(challenges.find(({ type }) => type === 'dns-persist-01')).toEqual({
      type: 'dns-persist-01',
      status: 'pending',
      url: expect.any(String) as string,
      accounturi: client.accountUrl,
      issuerDomainNames: ['ca.example', 'other-name.example'],
      'issuer-domain-names': ['ca.example', 'other-name.example'],
    });
  });

  it('cannot offer dns-persist-01 without an issuer name', async () => {
    const additionalChallenges = ['dns-persist-01' as const];
    for (const settings of [{ additionalChallenges }, { additionalChallenges, caaIdentities: [] }])
      await expect(addAcmeProfile(acme, settings)).rejects.toThrow(/dns-persist-01 requires an issuer domain name/);
    const own = await addAcmeProfile(acme, { ...CAA, additionalChallenges });
    await expect(own.edit({ caaIdentities: [] })).rejects.toThrow(/caaIdentities is empty/);
    await expect(own.edit({ caaByDefault: true })).rejects.toThrow(/has no public host/);
    await own.edit({ caaIdentities: [], additionalChallenges: [] });
  });
});

/** Base32 of the first ten bytes of the digest, computed independently: by arithmetic instead of text. */
function labelOf(url: string): string {
  let number = BigInt(`0x${createHash('sha256').update(url).digest('hex').slice(0, 20)}`);
  let label = '';
  for (let at = 0; at < 16; at++, number >>= 5n)
    label = 'abcdefghijklmnopqrstuvwxyz234567'[Number(number & 31n)] + label;
  return label;
}

describe('dns-account-01', () => {
  const prepare = (client: AcmeTestClient, identifier?: string) =>
    pendingChallenge(acme, { client, type: 'dns-account-01', ...(identifier === undefined ? {} : { identifier }) });
  const publish = (client: AcmeTestClient, { name, challenge }: PendingChallenge, url = urlOf(client)): void =>
    setTxt(`_${labelOf(url)}._acme-challenge.${name}`, dnsChallengeValue(challenge.token, client.key));

  it('validates a name and a wildcard, for two accounts at the same time', async () => {
    const clients = [await account(), await account()];
    const name = acme.host('account');
    for (const identifier of [name, `*.${name}`]) {
      const subjects = await Promise.all(clients.map((client) => prepare(client, identifier)));
      subjects.forEach((subject, at) => publish(clients[at] ?? expect.unreachable(), subject));
      const replies = await Promise.all(subjects.map(({ challenge }, at) => clients[at]?.respond(challenge.url)));
      for (const reply of replies) expect(reply?.body.status, reply?.text).toBe('valid');
    }
  });

  it("is not validated by the dns-01 record name or by a different account's record name", async () => {
    const [client, other] = [await account(), await account()];
    const [first, second] = [await prepare(client), await prepare(client)];
    setTxt(`_acme-challenge.${first.name}`, dnsChallengeValue(first.challenge.token, client.key));
    publish(client, second, urlOf(other));
    for (const { challenge, name } of [first, second]) {
      const { status, error } = (await client.respond(challenge.url)).body;
      expect([status, typeOf(error)]).toEqual(['invalid', 'dns']);
      expect(error?.detail).toContain(`_${labelOf(urlOf(client))}._acme-challenge.${name}`);
    }
  });

  it("accepts the account URL under either of the directory's origins", async () => {
    const { http, acmeDirectory } = acme.server.ready;
    const plain = profile.directoryUrl.replace(new URL(acmeDirectory).origin, new URL(http).origin);
    const client = await account({ directoryUrl: plain });
    expect(urlOf(client)).toMatch(/^http:/);
    for (const url of [urlOf(client), urlOf(client).replace(new URL(http).origin, new URL(acmeDirectory).origin)]) {
      const subject = await prepare(client);
      publish(client, subject, url);
      expect((await client.respond(subject.challenge.url)).body.status).toBe('valid');
    }
  });

  it("identifies accounts in an RA profile's directory by their URLs in that directory", async () => {
    const { client: admin } = acme.server;
    const place = await createAuthority(admin, { name: 'Served by label' });
    const { directoryUrl = '' } = await admin.raProfileAcme.activateAcmeForRaProfile({
      params: { ...place, acmeProfileUuid: profile.uuid },
      body: { issueCertificateAttributes: [], revokeCertificateAttributes: [] },
    });
    const client = await account({ directoryUrl });
    expect(urlOf(client)).toContain('/acme/raProfile/');
    const subject = await prepare(client);
    publish(client, subject);
    expect((await client.respond(subject.challenge.url)).body.status).toBe('valid');
  });
});

describe('dns-persist-01', () => {
  const prepare = (client: AcmeTestClient, identifier?: string) =>
    pendingChallenge(acme, { client, type: 'dns-persist-01', ...(identifier === undefined ? {} : { identifier }) });
  const publish = (name: string, ...texts: readonly string[]): void => setTxt(`_validation-persist.${name}`, ...texts);
  const recordFor = (client: AcmeTestClient, further = ''): string =>
    `ca.example; accounturi=${urlOf(client)}${further}`;
  const hashedFor = async (client: AcmeTestClient, domain: string): Promise<string> => {
    const { meta } = await client.directory();
    const thumbprint = client.keyAuthorization('').slice(1);
    const digest = createHash('sha256')
      .update(Buffer.from([domain.length]))
      .update(domain + thumbprint + urlOf(client))
      .digest('base64url');
    return `ca.example; accounturi=${meta?.accountHashPrefix}sha-256/${digest}`;
  };
  const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

  async function outcome(client: AcmeTestClient, identifier: string): Promise<AcmeChallenge> {
    const { challenge } = await prepare(client, identifier);
    return (await client.respond(challenge.url)).body;
  }

  it('issues repeatedly with the same record, with no challenge response after the first time', async () => {
    const client = await account();
    const base = acme.host('again');
    publish(base, 'v=other', recordFor(client, '; policy=wildcard'));
    const names = [base, `*.${base}`];
    const first = await client.newOrder(names);
    for (const url of first.body.authorizations) {
      const { challenges } = (await client.authorization(url)).body;
      const { url: challengeUrl = '' } = challenges.find(({ type }) => type === 'dns-persist-01') ?? {};
      expect((await client.respond(challengeUrl)).body.status).toBe('valid');
    }
    const second = await client.newOrder([...names, `www.${base}`]);
    expect(second.body.status).toBe('ready');
    const { body: authorization } = await client.authorization(second.body.authorizations[0] ?? '');
    expect(authorization).toMatchObject({ status: 'valid', challenges: [{ type: 'dns-persist-01', status: 'valid' }] });
    const { der } = await makeSigningRequest({ names: [...names, `www.${base}`] });
    expect((await client.finalize(second.body.finalize, der)).body.status).toBe('valid');

    publish(base);
    const third = await client.newOrder([base]);
    expect(third.body.status).toBe('pending');
    expect((await client.authorization(third.body.authorizations[0] ?? '')).body.status).toBe('pending');
  });

  it('is not checked in advance for an account that has never used it', async () => {
    const client = await account();
    const base = acme.host('first');
    publish(base, recordFor(client));
    expect((await client.newOrder([base])).body.status).toBe('pending');
    expect(acme.dns.questions).not.toContain(`_validation-persist.${base} TXT`);
  });

  it('is checked in advance at most ten times per minute per name, across all accounts', async () => {
    const clients = [await account(), await account()];
    for (const client of clients) {
      const known = acme.host('known');
      publish(known, recordFor(client));
      expect((await outcome(client, known)).status).toBe('valid');
    }
    const base = acme.host('sought');
    publish(base, 'ca.example; accounturi=https://ca.example/acct/1');
    for (let order = 0; order < 12; order++) {
      const { body } = (await clients[order % 2]?.newOrder([base])) ?? expect.unreachable();
      expect((await clients[order % 2]?.authorization(body.authorizations[0] ?? ''))?.body.status).toBe('pending');
    }
    const asked = acme.dns.questions.filter((question) => question === `_validation-persist.${base} TXT`);
    expect(asked).toHaveLength(10);
  });

  it('identifies the account by a digest of its key, or of a previous key (draft-ietf-acme-dns-persist-02 §4.1)', async () => {
    const client = await account();
    const base = acme.host('hashed');
    publish(base, await hashedFor(client, base));
    expect((await outcome(client, base)).status).toBe('valid');
    for (let change = 0; change < 2; change++) expect((await client.keyChange(generateAcmeKey())).status).toBe(200);
    expect((await client.newOrder([base])).body.status).toBe('ready');
    const anywhere = acme.host('anywhere');
    publish(anywhere, await hashedFor(client, '*'));
    expect((await outcome(client, anywhere)).status).toBe('valid');
    publish(anywhere, await hashedFor(client, base));
    expect(typeOf((await outcome(await account(), anywhere)).error)).toBe('unauthorized');
  });

  it.each<[string, string, (client: AcmeTestClient, other: AcmeTestClient) => readonly string[], string?]>([
    ['there is no record', 'dns', () => []],
    ['the issuer is different', 'unauthorized', (client) => [recordFor(client).replace('ca.example', 'else.example')]],
    ['the account is different', 'unauthorized', (_, other) => [recordFor(other)]],
    ['the account is missing', 'malformed', () => ['ca.example']],
    ['the record is malformed', 'malformed', (client) => [`${recordFor(client)};`]],
    ['persistUntil has passed', 'unauthorized', (client) => [recordFor(client, `; persistUntil=${inSeconds(-1)}`)]],
    ['persistUntil is not a number', 'malformed', (client) => [recordFor(client, '; persistUntil=tomorrow')]],
    ['its policy does not include wildcards', 'unauthorized', (client) => [recordFor(client)], '*.'],
    ['its policy does not include subdomains', 'unauthorized', (client) => [recordFor(client)], 'www.'],
  ])('fails if %s: %s', async (_what, problem, records, prefix = '') => {
    const client = await account();
    const base = acme.host('wrong');
    publish(base, ...records(client, await account()));
    const { status, error } = await outcome(client, prefix + base);
    expect([status, typeOf(error)], error?.detail).toEqual(['invalid', problem]);
    expect(error?.detail).toMatch(new RegExp(`_validation-persist\\.(www\\.)?${base}`));
    expect(error?.detail).not.toContain('else.example');
  });

  it('expires at persistUntil, together with the authorization and the order (draft-ietf-acme-dns-persist-02 §4.1)', async () => {
    const client = await account();
    const base = acme.host('until');
    const end = inSeconds(3);
    publish(base, recordFor(client, `; persistUntil=${end}`));
    const subject = await prepare(client, base);
    expect((await client.respond(subject.challenge.url)).body.status).toBe('valid');
    const { body } = await client.authorization(subject.url);
    expect(Date.parse(body.expires ?? '')).toBe(end * 1000);
    await expect
      .poll(async () => (await client.authorization(subject.url)).body.status, { timeout: 8_000 })
      .toBe('expired');
    const { der } = await makeSigningRequest({ names: [base] });
    const order = (await client.order(subject.orderUrl)).body;
    expectProblem(await client.finalize(order.finalize, der), 403, 'orderNotReady');
  });

  it('is rejected if CAA records require a different challenge type (RFC 8657 §4)', async () => {
    const client = await account();
    const base = acme.host('caa-method');
    publish(base, recordFor(client));
    const caa = (method: string) => {
      const value = `ca.example; validationmethods=${method}`;
      acme.dns.zone[`${base} CAA`] = [{ type: 'CAA', tag: 'issue', value }];
    };
    caa('dns-01');
    expect(typeOf((await outcome(client, base)).error)).toBe('caa');
    caa('dns-01,dns-persist-01');
    expect((await outcome(client, base)).status).toBe('valid');
  });

  it('is no longer offered after the profile withdraws it, but remains visible where it was used for validation', async () => {
    const own = await addAcmeProfile(acme, { ...CAA, additionalChallenges: [...BOTH] });
    const client = await acme.account(own);
    const base = acme.host('withdrawn');
    publish(base, recordFor(client));
    const [done, open] = [await prepare(client, base), await prepare(client, acme.host('withdrawn-open'))];
    expect((await client.respond(done.challenge.url)).body.status).toBe('valid');
    await own.edit({ additionalChallenges: [] });
    expect(typesIn((await client.authorization(done.url)).body)).toEqual(['dns-persist-01']);
    expect((await client.signed<AcmeChallenge>(done.challenge.url)).body.status).toBe('valid');
    expectProblem(await client.respond(open.challenge.url), 404, 'malformed');
    expect((await client.newOrder([base])).body.status).toBe('pending');
  });
});
