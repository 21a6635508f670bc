// Keys of ACME accounts: accepted types, key change (RFC 8555 §7.3.5), and the binding of a new account to a key that
// the operator issued (§7.3.4).
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import {
  acmeKey,
  generateAcmeKey,
  type AcmeReply,
  type AcmeTestClient,
  type AcmeTestKey,
  type ExternalAccount,
  type JwsOverrides,
  type KeyChangeOverrides,
} from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, managedAccount, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';

const acme = sharedAcmeServer();

describe('an account key (RFC 8555 §6.2)', () => {
  it.each(['P-256', 'P-384', 'P-521', 'RSA-2048', 'Ed25519', 'Ed448'] as const)(
    'of type %s creates an account and proves control of a name with its thumbprint (§8.1)',
    async (spec) => {
      const account = await acme.account({ key: generateAcmeKey(spec) });
      const { url } = await acme.readyOrder(account, [acme.host('key')]);
      expect((await account.order(url)).body.status).toBe('ready');
    },
  );

  const rsa = generateAcmeKey('RSA-2048');
  const modulus = Buffer.from(rsa.jwk['n'] ?? '', 'base64url');
  const p256 = generateAcmeKey();
  it.each<[string, AcmeTestKey, Readonly<Record<string, string>>]>([
    ['RSA of 1024 bits', generateAcmeKey('RSA-1024'), {}],
    ['an exponent of 1', rsa, { e: 'AQ' }],
    ['an even exponent', rsa, { e: 'AQAC' }],
    ['an even modulus', rsa, { n: Buffer.concat([modulus.subarray(0, -1), Buffer.of(2)]).toString('base64url') }],
    ['a curve that is not served', acmeKey(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey), {}],
    ['a coordinate that is too short', p256, { x: 'AQAB' }],
    ['no curve', p256, { crv: '' }],
    ['a symmetric key', p256, { kty: 'oct', k: 'c2VjcmV0' }],
    ['another use', p256, { use: 'enc' }],
  ])('is rejected with %s', async (_what, key, change) => {
    const otherClient = await acme.client({ key });
    const header = { alg: key.jwk['crv'] === 'secp256k1' ? 'ES256' : key.alg, jwk: { ...key.jwk, ...change } };
    expectProblem(await otherClient.newAccount({}, { header }), 400, 'badPublicKey');
    expectProblem(await otherClient.newAccount({ onlyReturnExisting: true }, { header }), 400, 'badPublicKey');
  });

  it('is rejected for a new account, and as a new key, if it was revoked as compromised', async () => {
    const key = generateAcmeKey();
    const account = await acme.account();
    const { chain } = await acme.issue(account, [acme.host('leaked')], { privateKey: key.privateKey });
    const early = await acme.account({ key: generateAcmeKey() });
    await account.revoke(new X509Certificate(chain).raw, { reason: 1 });
    const problem = expectProblem(await (await acme.client({ key })).newAccount({}), 400, 'badPublicKey');
    expect(problem.detail).toBe(
      'The account key is not accepted: it belongs to a certificate that was revoked as compromised. Generate a new key.',
    );
    expectProblem(await early.keyChange(key), 400, 'badPublicKey');
    expect((await early.updateAccount(undefined)).status).toBe(200);
  });

  it('that is not a point on its curve is rejected', async () => {
    const jwk = { ...p256.jwk, x: p256.jwk['y'] };
    const otherClient = await acme.client({ key: p256 });
    expect((await otherClient.newAccount({}, { header: { jwk } })).status).toBe(400);
    expectProblem(await otherClient.newAccount({ onlyReturnExisting: true }), 400, 'accountDoesNotExist');
  });
});

describe('a change of the account key (RFC 8555 §7.3.5)', () => {
  let account: AcmeTestClient;
  let other: AcmeTestClient;
  beforeAll(async () => {
    account = await acme.account();
    other = await acme.account();
  });

  it('replaces the key immediately, and does not affect open orders', async () => {
    const changing = await acme.account();
    const [old, next] = [changing.key, generateAcmeKey('Ed25519')];
    const placed = await changing.newOrder([acme.host('before')]);
    const reply = await changing.keyChange(next);
    expect(reply.status, reply.text).toBe(200);
    expectProblem(await changing.updateAccount(undefined, { key: old }), 400, 'badSignatureAlgorithm');
    expect((await changing.updateAccount(undefined)).body.status).toBe('valid');
    expect((await acme.prove(changing, placed.body.authorizations[0] ?? '')).status).toBe('valid');
    const found = await changing.newAccount({ onlyReturnExisting: true });
    expect([found.status, found.location]).toEqual([200, changing.accountUrl]);
    expectProblem(
      await (await acme.client({ key: old })).newAccount({ onlyReturnExisting: true }),
      400,
      'accountDoesNotExist',
    );
  });

  it('is rejected with 409 and the URL of the account that has the key', async () => {
    const reply = await account.keyChange(other.key);
    expectProblem(reply, 409, 'malformed');
    expect(reply.location).toBe(other.accountUrl);
    const same = await account.keyChange(account.key);
    expectProblem(same, 409, 'malformed');
    expect(same.location).toBe(account.accountUrl);
  });

  it('assigns a key requested simultaneously by two accounts to only one of them', async () => {
    const key = generateAcmeKey();
    const two = [await acme.account(), await acme.account()];
    const replies = await Promise.all(two.map((each) => each.keyChange(key)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    for (const each of two) expect((await each.updateAccount(undefined)).status).toBe(200);
  });

  const inner = (header: Readonly<Record<string, unknown>>): KeyChangeOverrides => ({ inner: { header } });
  const payload = (change: (facts: { own: string; foreign: string }) => Readonly<Record<string, unknown>>) => () =>
    ({ payload: change({ own: account.accountUrl ?? '', foreign: other.accountUrl ?? '' }) }) as KeyChangeOverrides;
  const bare = (form: unknown): KeyChangeOverrides => ({ inner: { form: () => form } });
  it.each<[string, string, () => KeyChangeOverrides]>([
    [
      'a new key that does not sign',
      'malformed',
      () => ({ inner: { signature: (good) => good.map((byte) => byte ^ 1) } }),
    ],
    [
      'the signature of the old key',
      'malformed',
      () => ({ inner: { signature: (_, data) => account.key.sign(data) } }),
    ],
    ['no new key', 'malformed', () => inner({ jwk: undefined })],
    ['an account for a new key', 'malformed', () => inner({ jwk: undefined, kid: other.accountUrl })],
    ['a nonce within', 'malformed', () => inner({ nonce: 'bm9uY2U' })],
    ['another URL within', 'malformed', () => inner({ url: account.accountUrl })],
    ['no URL within', 'malformed', () => inner({ url: undefined })],
    ['another algorithm within', 'badSignatureAlgorithm', () => inner({ alg: 'ES384' })],
    ['a secret as new key', 'badPublicKey', () => inner({ alg: 'HS256', jwk: { kty: 'oct', k: 'c2VjcmV0' } })],
    ['another account', 'malformed', payload(({ foreign }) => ({ account: foreign }))],
    ['an account that is nearly the own', 'malformed', payload(({ own }) => ({ account: `${own}/` }))],
    ['no account', 'malformed', payload(() => ({ account: undefined }))],
    ['another old key', 'malformed', payload(() => ({ oldKey: other.key.jwk }))],
    ['no old key', 'badPublicKey', payload(() => ({ oldKey: undefined }))],
    ['a list within', 'malformed', () => ({ inner: { form: (jws) => ({ ...jws, payload: 'W10' }) } })],
    ['no JWS within', 'malformed', () => bare({ account: account.accountUrl, oldKey: account.key.jwk })],
    ['nothing within', 'malformed', () => bare('')],
  ])('is rejected with %s, and the old key remains in use', async (_what, type, overrides) => {
    expectProblem(await account.keyChange(generateAcmeKey(), overrides()), 400, type);
    expect((await account.updateAccount(undefined)).status).toBe(200);
  });

  it('is rejected for a weak key, and for clients other than the account holder', async () => {
    expectProblem(await account.keyChange(generateAcmeKey('RSA-1024')), 400, 'badPublicKey');
    const next = generateAcmeKey();
    expectProblem(await account.keyChange(next, { outer: { key: next } }), 400, 'malformed');
    expectProblem(await account.keyChange(next, { outer: { header: { kid: other.accountUrl } } }), 400, 'malformed');
    expect((await account.updateAccount(undefined)).status).toBe(200);
  });
});

describe('external account binding (RFC 8555 §7.3.4)', () => {
  let profile: AcmeProfileOfTest;
  beforeAll(async () => {
    profile = await addAcmeProfile(acme, { externalAccountRequired: true });
  });

  const newKey = (body: { reusable?: boolean } = {}, { uuid } = profile) =>
    acme.server.client.acmeEabKeys.createAcmeEabKey({ params: { uuid }, body });

  async function bind(
    external: ExternalAccount,
    overrides: JwsOverrides = {},
    account?: AcmeTestClient,
  ): Promise<{ reply: AcmeReply; account: AcmeTestClient; binding: unknown }> {
    const made = account ?? (await acme.client(profile));
    const binding = await made.eab(external, overrides);
    return { reply: await made.newAccount({ externalAccountBinding: binding }), account: made, binding };
  }

  it('is advertised and required if the profile requires it', async () => {
    const otherClient = await acme.client(profile);
    expect((await otherClient.directory()).meta?.externalAccountRequired).toBe(true);
    for (const payload of [{}, { externalAccountBinding: null }])
      expectProblem(await otherClient.newAccount(payload), 403, 'externalAccountRequired');
  });

  it('creates an account that shows its binding, and can later be found without it', async () => {
    const external = await newKey();
    const { reply, account, binding } = await bind(external);
    expect([reply.status, reply.body], reply.text).toEqual([
      201,
      expect.objectContaining({ externalAccountBinding: binding }),
    ]);
    const params = await managedAccount(acme, account);
    const detail = await acme.server.client.acmeAccounts.getAcmeAccount({ params });
    expect(detail.externalAccountKeyId).toBe(external.keyId);
    expect((await account.newAccount({})).status).toBe(200);
    expect((await bind(external, {}, account)).reply.status).toBe(200);
  });

  const header = (change: Readonly<Record<string, unknown>>) => (): JwsOverrides => ({ header: change });
  it.each<[string, string, number, () => JwsOverrides]>([
    ['another MAC', 'unauthorized', 403, () => ({ signature: (good) => good.map((byte) => byte ^ 1) })],
    ['no MAC', 'unauthorized', 403, () => ({ signature: () => Buffer.of() })],
    ['a MAC cut short', 'unauthorized', 403, () => ({ signature: (good) => good.subarray(0, 16) })],
    ['a key id that nobody knows', 'unauthorized', 403, header({ kid: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['a key id of another form', 'unauthorized', 403, header({ kid: "' OR 1=1 --" })],
    ['no key id', 'malformed', 400, header({ kid: undefined })],
    ['alg none', 'malformed', 400, () => ({ header: { alg: 'none' }, signature: () => Buffer.of() })],
    ['alg ES256', 'malformed', 400, header({ alg: 'ES256' })],
    ['a nonce', 'malformed', 400, header({ nonce: 'bm9uY2U' })],
    ['another URL', 'malformed', 400, () => header({ url: profile.directoryUrl })()],
    ['no URL', 'malformed', 400, header({ url: undefined })],
    ['a critical extension', 'malformed', 400, header({ crit: ['b64'], b64: false })],
    ['the key of somebody else', 'malformed', 400, () => ({ form: (jws) => ({ ...jws, payload: otherKey }) })],
    ['no key', 'badPublicKey', 400, () => ({ form: (jws) => ({ ...jws, payload: 'e30' }) })],
    ['a text for a JWS', 'malformed', 400, () => ({ form: (jws) => JSON.stringify(jws) })],
  ])('is rejected with %s, without consuming the key', async (_what, type, status, overrides) => {
    const external = await newKey();
    const { reply, account } = await bind(external, overrides());
    expectProblem(reply, status, type);
    expectProblem(await account.newAccount({ onlyReturnExisting: true }), 400, 'accountDoesNotExist');
    expect((await bind(external)).reply.status).toBe(201);
  });
  const otherKey = Buffer.from(JSON.stringify(generateAcmeKey().jwk)).toString('base64url');

  it("is rejected with the same error for a revoked or expired key, a different profile's key, and an incorrect secret", async () => {
    const [revoked, expired, other] = [await newKey(), await newKey(), await newKey({}, await addAcmeProfile(acme))];
    const { client, running } = acme.server;
    await client.acmeEabKeys.revokeAcmeEabKey({ params: { uuid: profile.uuid, keyUuid: revoked.uuid } });
    await running.platform.database.query(
      "UPDATE acme_eab_key SET expires_at = now() - interval '1s' WHERE uuid = $1",
      [expired.uuid],
    );
    const wrong = { ...(await newKey()), macKey: other.macKey };
    const problems = [];
    for (const key of [revoked, expired, other, wrong])
      problems.push(expectProblem((await bind(key)).reply, 403, 'unauthorized').detail);
    expect(new Set(problems).size).toBe(1);
    // Only operators see the reasons.
    const { enrollments } = await client.enrollments.listEnrollments({
      query: { protocol: 'acme', profileUuid: profile.uuid, itemsPerPage: 4 },
    });
    expect(enrollments.map(({ state, address, problem }) => [state, address, problem]).toReversed()).toEqual([
      ['refused', '127.0.0.1', `The key with the ID "${revoked.keyId}" was revoked.`],
      ['refused', '127.0.0.1', `The key with the ID "${expired.keyId}" has expired.`],
      ['refused', '127.0.0.1', `The ACME profile has no key with the ID "${other.keyId}".`],
      ['refused', '127.0.0.1', `The MAC does not match the key with the ID "${wrong.keyId}".`],
    ]);
  });

  it('that is rejected is recorded in the audit log, along with the key that was used', async () => {
    // Otherwise it could be aggregated with rejections of the last minute.
    await acme.server.running.areas.audit.settleRefusals({ everything: true });
    const { reply, account } = await bind({ ...(await newKey()), keyId: 'AAAAAAAAAAAAAAAAAAAAAA' });
    expectProblem(reply, 403, 'unauthorized');
    const { items } = await acme.server.client.auditLogs.listAuditLogs({ body: { itemsPerPage: 20 } });
    const record = items.find((item) => JSON.stringify(item).includes(account.key.thumbprint));
    expect(record).toMatchObject({ resource: { type: 'acmeAccounts' }, operationResult: 'failure' });
  });

  it('with a single-use key creates only one account, even for ten concurrent requests and for later requests', async () => {
    const external = await newKey();
    const replies = await Promise.all(Array.from({ length: 10 }, () => bind(external)));
    const refused = replies.map(({ reply }) => reply).filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(9);
    for (const reply of refused) expectProblem(reply, 403, 'unauthorized');
    expectProblem((await bind(external)).reply, 403, 'unauthorized');
  });

  it.each(['HS384', 'HS512'])('can be signed with %s (RFC 7518 §3.2)', async (alg) => {
    const { reply } = await bind(await newKey(), { header: { alg } });
    expect(reply.status, reply.text).toBe(201);
  });

  it('with a reusable key creates multiple accounts', async () => {
    const external = await newKey({ reusable: true });
    for (let made = 0; made < 3; made++) expect((await bind(external)).reply.status).toBe(201);
  });

  it('is also validated if it is not required', async () => {
    const free = await addAcmeProfile(acme);
    const external = await newKey({}, free);
    const account = await acme.client(free);
    const bad = await account.eab(external, { header: { kid: 'AAAAAAAAAAAAAAAAAAAAAA' } });
    expectProblem(await account.newAccount({ externalAccountBinding: bad }), 403, 'unauthorized');
    const good = await account.newAccount({ externalAccountBinding: await account.eab(external) });
    expect(good.status, good.text).toBe(201);
  });
});
