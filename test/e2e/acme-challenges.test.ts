// ACME challenges (RFC 8555 §7.5.1, §8; RFC 8737; RFC 8738): which are offered, how they succeed, fail and are delayed,
// and that no target content appears in responses.
import type { ServerResponse } from 'node:http';
import {
  dnsChallengeValue,
  generateAcmeKey,
  keyAuthorization,
  makeJws,
  startHttpChallengeServer,
  startTlsAlpnChallengeServer,
  type AcmeAuthorization,
  type AcmeChallenge,
  type AcmeReply,
  type AcmeTestClient,
  type DnsRecord,
  type HttpChallengeServer,
  type TlsAlpnChallengeServer,
} from '@signetry/testkit/acme';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile, type AcmeProfileOfTest } from './testing/acme-profiles.ts';
import { sharedAcmeServer, type ChallengeName } from './testing/acme-server.ts';
import { pendingChallenge, type PendingChallenge } from './testing/pending-challenge.ts';

const CANARY = 'what-only-the-target-says';
const acme = sharedAcmeServer();
let client: AcmeTestClient;
/** Targets on the other loopback address, on the same ports. */
let v6: { readonly http: HttpChallengeServer; readonly alpn: TlsAlpnChallengeServer };

beforeAll(async () => {
  client = await acme.account();
  const [http, alpn] = [acme.http, acme.alpn].map(({ port }) => ({ host: '::1', port }));
  v6 = { http: await startHttpChallengeServer(http), alpn: await startTlsAlpnChallengeServer(alpn) };
});
afterAll(() => Promise.all([v6.http.stop(), v6.alpn.stop()]));

const startChallenge = (type: ChallengeName, identifier?: string, who = client): Promise<PendingChallenge> =>
  pendingChallenge(acme, { client: who, type, ...(identifier === undefined ? {} : { identifier }) });
const typeOf = (problem: { type: string } | undefined) => problem?.type.replace('urn:ietf:params:acme:error:', '');
const publishTxt = (name: string, ...values: readonly string[]): void => {
  acme.dns.zone[`_acme-challenge.${name} TXT`] = values.map((value): DnsRecord => ({ type: 'TXT', strings: [value] }));
};

describe("an authorization's challenges", () => {
  it.each([
    ['a name (RFC 8555 §8)', 'offer.acme.test', ['http-01', 'dns-01', 'tls-alpn-01']],
    ['a wildcard (RFC 8555 §7.1.3)', '*.offer.acme.test', ['dns-01']],
    ['an IPv4 address (RFC 8738 §7)', '192.0.2.1', ['http-01', 'tls-alpn-01']],
    ['an IPv6 address (RFC 8738 §7)', '2001:db8::1', ['http-01', 'tls-alpn-01']],
  ])('are those for %s', async (_what, identifier, types) => {
    const { body } = await client.newOrder([identifier]);
    const { challenges, expires, status } = (await client.authorization(body.authorizations[0] ?? '')).body;
    expect([status, expires]).toEqual(['pending', body.expires]);
    expect(challenges.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
    for (const challenge of challenges) {
      const { type, url, token } = challenge;
      expect(challenge).toEqual({ type, status: 'pending', url, token });
      expect(token).toMatch(/^[\w-]{22,}$/);
    }
  });

  it('are not started by being read (RFC 8555 §7.5.1)', async () => {
    const subject = await startChallenge('http-01');
    acme.http.serve(subject.challenge.token, subject.keyAuthorization);
    const reply = await client.signed<AcmeChallenge>(subject.challenge.url);
    expect([reply.status, reply.body]).toEqual([200, subject.challenge]);
    expect(reply.links.get('up')).toEqual([subject.url]);
    for (const payload of [[], 'x', null])
      expectProblem(await client.signed(subject.challenge.url, payload), 400, 'malformed');
    expect((await client.authorization(subject.url)).body.status).toBe('pending');
    expect(acme.http.requests.filter(({ path }) => path.endsWith(subject.challenge.token))).toEqual([]);
  });
});

describe('a successful challenge', () => {
  it.each<[ChallengeName, string]>([
    ['http-01', '::1'],
    ['tls-alpn-01', '::1'],
    ['http-01', '127.0.0.1'],
  ])('%s proves control of the IP address %s (RFC 8738 §5, §6)', async (type, address) => {
    // An open order of the account for this IP address would be returned again.
    const account = await acme.account();
    const subject = await startChallenge(type, address, account);
    if (type === 'tls-alpn-01') v6.alpn.serve(address, subject.keyAuthorization);
    else (address === '::1' ? v6 : acme).http.serve(subject.challenge.token, subject.keyAuthorization);
    expect((await account.respond(subject.challenge.url)).body.status).toBe('valid');
  });

  it('shows the validation time, and is the only challenge left in the authorization (RFC 8555 §7.1.4)', async () => {
    const subject = await startChallenge('http-01');
    acme.http.serve(subject.challenge.token, `${subject.keyAuthorization} \t\r\n`);
    const reply = await client.signed<AcmeChallenge>(subject.challenge.url, { keyAuthorization: 'ignored (§7.5.1)' });
    expect(reply.body).toEqual({ ...subject.challenge, status: 'valid', validated: expect.any(String) as string });
    expect(Math.abs(Date.parse(reply.body.validated ?? '') - Date.now())).toBeLessThan(60_000);
    const { body } = await client.authorization(subject.url);
    expect(body).toMatchObject({ status: 'valid', expires: subject.authorization.expires, challenges: [reply.body] });
    const request = acme.http.requests.find(({ path }) => path.endsWith(subject.challenge.token));
    expect(request).toMatchObject({ method: 'GET', path: `/.well-known/acme-challenge/${subject.challenge.token}` });
    expect(request?.host).toBe(`${subject.name}:${acme.http.port}`);
  });

  it('is validated once, no matter how often the client responds (RFC 8555 §7.5.1)', async () => {
    const subject = await startChallenge('http-01');
    acme.http.serve(subject.challenge.token, subject.keyAuthorization);
    const replies = await Promise.all(Array.from({ length: 5 }, () => client.respond(subject.challenge.url)));
    replies.push(await client.respond(subject.challenge.url));
    for (const { status, body } of replies) expect([status, body.status]).toEqual([200, 'valid']);
    expect(acme.http.requests.filter(({ path }) => path.endsWith(subject.challenge.token))).toHaveLength(1);
  });

  it('can be one of multiple TXT records, including behind an alias (RFC 8555 §8.4)', async () => {
    const subject = await startChallenge('dns-01');
    const value = dnsChallengeValue(subject.challenge.token, client.key);
    acme.dns.zone[`_acme-challenge.${subject.name}`] = [{ type: 'CNAME', target: `validation-${subject.name}` }];
    acme.dns.zone[`validation-${subject.name}`] = ['v=other', value, ''].map((text) => ({
      type: 'TXT',
      strings: [text],
    }));
    expect((await client.respond(subject.challenge.url)).body.status).toBe('valid');
  });

  it('makes the order ready once all of its identifiers are validated (RFC 8555 §7.1.6)', async () => {
    const placed = await client.newOrder([acme.host('first'), acme.host('second')]);
    const statuses = [];
    for (const url of placed.body.authorizations) {
      statuses.push((await client.order(placed.location ?? '')).body.status);
      await acme.prove(client, url);
    }
    statuses.push((await client.order(placed.location ?? '')).body.status);
    expect(statuses).toEqual(['pending', 'pending', 'ready']);
  });

  it('can be behind a redirect if the redirect leads to a web port (RFC 8555 §8.3, §10.4)', async () => {
    const [good, bad] = [await startChallenge('http-01'), await startChallenge('http-01')];
    acme.http.serve('elsewhere', good.keyAuthorization);
    acme.http.misbehave((request, response) => {
      const port = request.headers.host?.startsWith(good.name) ? acme.http.port : acme.dns.port;
      if (request.url === '/elsewhere') return void response.end(good.keyAuthorization);
      response.writeHead(302, { location: `http://${acme.host('target')}:${port}/elsewhere` }).end();
    });
    expect((await client.respond(good.challenge.url)).body.status).toBe('valid');
    const refused = await client.respond(bad.challenge.url);
    acme.http.misbehave();
    expect([refused.body.status, typeOf(refused.body.error)]).toEqual(['invalid', 'connection']);
  });
});

describe('a failed challenge', () => {
  const wrong = generateAcmeKey();
  const hostAt = (name: string, address: string) => void (acme.dns.zone[name] = [{ type: 'A', address }]);
  const serveHttp = (content: (subject: PendingChallenge) => string | Uint8Array) => (subject: PendingChallenge) =>
    acme.http.serve(subject.challenge.token, content(subject));
  const serveAlpn =
    (options: Parameters<typeof acme.alpn.serve>[2], key?: typeof wrong) => (subject: PendingChallenge) =>
      acme.alpn.serve(
        subject.name,
        key ? keyAuthorization(subject.challenge.token, key) : subject.keyAuthorization,
        options,
      );

  it.each<[string, ChallengeName, string, (subject: PendingChallenge) => unknown]>([
    ['nothing is there', 'http-01', 'incorrectResponse', () => undefined],
    ['something else is there', 'http-01', 'incorrectResponse', serveHttp(() => CANARY)],
    ['more is there', 'http-01', 'incorrectResponse', serveHttp((subject) => `${subject.keyAuthorization}${CANARY}`)],
    ['far too much is there', 'http-01', 'incorrectResponse', serveHttp(() => Buffer.alloc(1e6, CANARY))],
    ['the proof is of another key', 'http-01', 'incorrectResponse', serveHttp((subject) => keyAuthorization(subject.challenge.token, wrong))],
    ['only the token is there', 'http-01', 'incorrectResponse', serveHttp((subject) => subject.challenge.token)],
    ['nobody listens', 'http-01', 'connection', ({ name }) => hostAt(name, '127.0.0.2')],
    ['the target is the cloud', 'http-01', 'connection', ({ name }) => hostAt(name, '169.254.169.254')],
    ['the target is nowhere', 'http-01', 'connection', ({ name }) => hostAt(name, '0.0.0.0')],
    ['the name is not there', 'http-01', 'dns', ({ name }) => delete acme.dns.zone[name]],
    ['the zone is broken', 'http-01', 'dns', ({ name }) => (acme.dns.zone[name] = 'servfail')],
    ['no record is there', 'dns-01', 'dns', () => undefined],
    ['another record is there', 'dns-01', 'incorrectResponse', ({ name }) => publishTxt(name, CANARY)],
    ['the record is not a digest', 'dns-01', 'incorrectResponse', (subject) => publishTxt(subject.name, subject.keyAuthorization)],
    ['the record is of another key', 'dns-01', 'incorrectResponse', ({ name, challenge }) =>
      publishTxt(name, dnsChallengeValue(challenge.token, wrong))],
    ['the record is at the name itself', 'dns-01', 'dns', ({ name, challenge }) =>
      (acme.dns.zone[`${name} TXT`] = [{ type: 'TXT', strings: [dnsChallengeValue(challenge.token, client.key)] }])],
    ['no certificate is there', 'tls-alpn-01', 'tls', () => undefined],
    ['the certificate is of another key', 'tls-alpn-01', 'incorrectResponse', serveAlpn({}, wrong)],
    ['the certificate names more', 'tls-alpn-01', 'incorrectResponse', ({ name, ...subject }) =>
      serveAlpn({ names: [name, 'other.test'] })({ name, ...subject })],
    ['the certificate names another', 'tls-alpn-01', 'incorrectResponse', serveAlpn({ names: [`${CANARY}.test`] })],
    ['the digest is not critical', 'tls-alpn-01', 'incorrectResponse', serveAlpn({ identifierIs: 'not critical' })],
    ['the digest is not there', 'tls-alpn-01', 'incorrectResponse', serveAlpn({ identifierIs: 'absent' })],
  ])('because %s ends the authorization and the order: %s, %s', async (_what, type, problem, arrange) => {
    const subject = await startChallenge(type);
    await arrange(subject);
    const replies: AcmeReply[] = [];
    const recordReply = <Body>(reply: AcmeReply<Body>): Body => (replies.push(reply), reply.body);
    const challenge = recordReply(await client.respond(subject.challenge.url));
    expect([challenge.status, typeOf(challenge.error)], challenge.error?.detail).toEqual(['invalid', problem]);
    expect(challenge.error?.detail).toMatch(/\.$/);
    expect(challenge.error).not.toHaveProperty('identifier');
    expect(recordReply(await client.authorization(subject.url))).toMatchObject({ status: 'invalid', challenges: [challenge] });
    const order = recordReply(await client.order(subject.orderUrl));
    expect(order).toMatchObject({ status: 'invalid', error: { subproblems: [{ identifier: subject.authorization.identifier }] } });
    expect(typeOf(order.error?.subproblems?.[0])).toBe(problem);
    expect(recordReply(await client.signed<typeof challenge>(subject.challenge.url))).toEqual(challenge);
    expectProblem(await client.respond(subject.challenge.url), 400, 'malformed');
    for (const { text } of replies) expect(text).not.toContain(CANARY);
  }); // prettier-ignore
});

it('a response to a challenge offered by this node requires one SQL statement, which also records its nonce', async () => {
  const { challenge, keyAuthorization: proof } = await startChallenge('http-01');
  acme.http.serve(challenge.token, proof);
  const { hot, relaxed } = acme.server.running.platform.database;
  const spies = [vi.spyOn(hot, 'run'), vi.spyOn(relaxed, 'run')];
  try {
    expect((await client.respond(challenge.url)).body).toMatchObject({ status: 'valid' });
    const names = spies.flatMap(({ mock }) => mock.calls.map(([{ name }]) => name));
    expect(names.filter((name) => name.startsWith('acme_'))).toEqual(['acme_decide_own_challenges']);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});

describe('a response that is replayed with its nonce (RFC 8555 §6.5)', () => {
  it.each([2, 30])('is processed only once out of %i concurrent copies', async (many) => {
    const { challenge, keyAuthorization: proof, url } = await startChallenge('http-01');
    acme.http.serve(challenge.token, proof);
    const header = { alg: client.key.alg, kid: client.accountUrl ?? '', nonce: await client.takeNonce(), url: challenge.url };
    const body = JSON.stringify(makeJws({ header, payload: {}, sign: client.key.sign }));
    const headers = { 'content-type': 'application/jose+json' };
    const send = () => client.request(challenge.url, { method: 'POST', headers, body });
    const replies = await Promise.all(Array.from({ length: many }, send));
    const accepted = replies.filter(({ status }) => status === 200);
    expect(accepted.length, replies.find(({ status }) => status >= 500)?.text).toBeLessThanOrEqual(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectProblem(reply, 400, 'badNonce');
    // Regardless of which copy used the nonce, a new response finds the proof.
    await client.respond(challenge.url);
    const until = ({ status }: AcmeAuthorization) => status !== 'pending';
    expect((await client.pollUntil<AcmeAuthorization>(url, { until })).body.status).toBe('valid');
    expectProblem(await send(), 400, 'badNonce');
  });
}); // prettier-ignore

describe('a slow validation target (RFC 8555 §8.2)', () => {
  async function startSlowChallenge() {
    const subject = await startChallenge('http-01');
    const asked = new Promise<ServerResponse>((resolve) => {
      acme.http.misbehave((_request, response) => resolve(response));
    });
    const responding = client.respond(subject.challenge.url);
    const answer = await asked;
    acme.http.misbehave();
    return { subject, answer, late: await responding };
  }

  it('is awaited while the client polls, and is then validated', async () => {
    const { subject, answer, late } = await startSlowChallenge();
    expect([late.status, late.body.status]).toEqual([200, 'processing']);
    const polled = await client.authorization(subject.url);
    expect(polled.body).toMatchObject({ status: 'pending' });
    expect(polled.body.challenges.find(({ type }) => type === 'http-01')?.status).toBe('processing');
    for (const { headers } of [late, polled]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const other = subject.authorization.challenges.find(({ type }) => type === 'dns-01');
    expectProblem(await client.respond(other?.url ?? ''), 400, 'malformed');
    expect((await client.order(subject.orderUrl)).body.status).toBe('pending');
    answer.end(subject.keyAuthorization);
    const until = ({ status }: AcmeAuthorization) => status !== 'pending';
    expect((await client.pollUntil<AcmeAuthorization>(subject.url, { until })).body.status).toBe('valid');
    expect((await client.order(subject.orderUrl)).body.status).toBe('ready');
  });

  it('has no effect if it responds after the authorization was deactivated', async () => {
    const { subject, answer } = await startSlowChallenge();
    const ended = await client.signed<AcmeAuthorization>(subject.url, { status: 'deactivated' });
    expect(ended.body).toMatchObject({ status: 'deactivated', challenges: [{ status: 'invalid' }] });
    answer.end(subject.keyAuthorization);
    const problem = expectProblem(await client.respond(subject.challenge.url), 400, 'malformed');
    expect(problem.detail).toMatch(/was deactivated.*Place a new order/);
    expect((await client.signed(subject.challenge.url)).body).toMatchObject({ status: 'invalid' });
    expect((await client.authorization(subject.url)).body.status).toBe('deactivated');
  });
});

describe('CAA (RFC 8659, RFC 8657)', () => {
  let profile: AcmeProfileOfTest;
  let account: AcmeTestClient;
  beforeAll(async () => {
    profile = await addAcmeProfile(acme, { caaIdentities: ['CA.example'] });
    account = await acme.account(profile);
  });
  const caa = (tag: string, value: string): DnsRecord => ({ type: 'CAA', tag, value });
  const proveBy = async (type: ChallengeName, identifier: string, who = account): Promise<AcmeChallenge> => {
    const subject = await startChallenge(type, identifier, who);
    if (type === 'http-01') acme.http.serve(subject.challenge.token, subject.keyAuthorization);
    else publishTxt(subject.name, dnsChallengeValue(subject.challenge.token, who.key));
    return (await who.respond(subject.challenge.url)).body;
  };

  it('is not checked by default if the authority has no public name', async () => {
    const other = await acme.account(await addAcmeProfile(acme));
    expect((await other.directory()).meta?.caaIdentities).toEqual([]);
    const base = acme.host('caa-by-default');
    acme.dns.zone[`${base} CAA`] = [caa('issue', 'other.example')];
    expect((await proveBy('http-01', base, other)).status).toBe('valid');
  });

  it('uses the names that the directory advertises (RFC 8555 §7.1.1)', async () => {
    expect((await account.directory()).meta?.caaIdentities).toEqual(['ca.example']);
  });

  it.each<[string, boolean, DnsRecord[], string?]>([
    ['nothing', true, []],
    ['this authority', true, [caa('issue', 'ca.example')]],
    ['another authority', false, [caa('issue', 'other.example')]],
    ['nobody', false, [caa('issue', ';')]],
    ['nobody for wildcards', true, [caa('issuewild', ';')]],
    ['nobody, for a wildcard', false, [caa('issue', 'ca.example'), caa('issuewild', ';')], '*.'],
    ['wildcards, for a wildcard', true, [caa('issue', ';'), caa('issuewild', 'ca.example')], '*.'],
    ['another account', false, [caa('issue', 'ca.example; accounturi=https://ca.example/acct/1')]],
    ['another challenge', false, [caa('issue', 'ca.example; validationmethods=tls-alpn-01')]],
    ['something unknown that is critical', false, [{ type: 'CAA', flags: 128, tag: 'future', value: 'x' }]],
  ])('permits or forbids issuance depending on the records: %s', async (_what, isPermitted, records, wildcard = '') => {
    const base = acme.host('caa');
    acme.dns.zone[`${base} CAA`] = records;
    const { status, error } = await proveBy(wildcard ? 'dns-01' : 'http-01', wildcard + base);
    expect([status, typeOf(error)], error?.detail).toEqual(isPermitted ? ['valid', undefined] : ['invalid', 'caa']);
  });

  it("naming this account permits issuance, and a parent domain's record applies to its subdomains (RFC 8657 §3, RFC 8659 §3)", async () => {
    const base = acme.host('parent');
    const below = `www.${base}`;
    acme.dns.zone[below] = [{ type: 'A', address: '127.0.0.1' }];
    acme.dns.zone[`${base} CAA`] = [caa('issue', `ca.example; accounturi=${account.accountUrl}`)];
    expect((await proveBy('http-01', below)).status).toBe('valid');
    expect(typeOf((await proveBy('http-01', below, await acme.account(profile))).error)).toBe('caa');
  });

  it('is not checked for IP addresses, or if the profile has no issuer names', async () => {
    expect((await proveBy('http-01', '127.0.0.1')).status).toBe('valid');
    const base = acme.host('unchecked');
    acme.dns.zone[`${base} CAA`] = [caa('issue', ';')];
    expect((await proveBy('http-01', base, client)).status).toBe('valid');
    expect(acme.dns.questions.filter((question) => question === `${base} CAA`)).toEqual([]);
  });
});
