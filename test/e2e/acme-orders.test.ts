// ACME orders (RFC 8555 §7.1.3, §7.4): permitted identifiers and their forms, requested validity, expiry, and the list
// of orders.
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type AcmeOrder, type AcmeReply, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { createAuthority } from './testing/profiles.ts';

const HOUR_MS = 3_600_000;
const acme = sharedAcmeServer();
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

const dns = (value: unknown) => ({ type: 'dns', value });
const ip = (value: unknown) => ({ type: 'ip', value });
const order = (identifiers: unknown, more: object = {}) => client.newOrder({ identifiers, ...more });
const label63 = 'a'.repeat(63);

describe('a new order (RFC 8555 §7.4)', () => {
  it('is returned with its URL and authorizations, and reading it returns the same content', async () => {
    const names = [acme.host('one'), acme.host('two')];
    const placed = await client.newOrder(names);
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body).toEqual({
      status: 'pending',
      expires: expect.any(String) as string,
      identifiers: names.map(dns),
      authorizations: [expect.stringContaining('/authz/'), expect.stringContaining('/authz/')] as string[],
      finalize: `${placed.location}/finalize`,
    });
    const validityMs = Date.parse(placed.body.expires ?? '') - Date.now();
    expect(validityMs / HOUR_MS).toBeCloseTo(10, 1);
    const read = await client.order(placed.location ?? '');
    expect([read.status, read.body]).toEqual([200, placed.body]);
    expect(read.location).toBe(placed.location);
  });

  it('belongs to the account that placed it, even with many concurrent orders', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => acme.account()));
    const wishes = accounts.flatMap((account, at) =>
      [0, 1, 2, 3].map((each) => ({ account, name: `at-${at}-${each}.acme.test` })),
    );
    const placed = await Promise.all(wishes.map(({ account, name }) => account.newOrder([name])));
    const read = await Promise.all(wishes.map(({ account }, at) => account.order(placed[at]?.location ?? '')));
    const foreign = await Promise.all(placed.map(({ location = '' }) => client.order(location)));
    for (const [at, { name }] of wishes.entries()) {
      expect(placed[at]?.body.identifiers).toEqual([dns(name)]);
      expect(read[at]?.body).toEqual(placed[at]?.body);
      expectProblem(foreign[at]!, 404, 'malformed'); // Both arrays have the same length.
    }
  });

  it('ignores unknown members', async () => {
    const reply = await order([dns(acme.host('more'))], { status: 'ready', error: {}, authorizations: [], unknown: 1 });
    expect([reply.status, reply.body.status, reply.body.authorizations.length]).toEqual([201, 'pending', 1]);
    expect(reply.body).not.toHaveProperty('unknown');
  });

  it.each([
    ['none', undefined],
    ['an empty list', []],
    ['an object instead of a list', dns('a.acme.test')],
    ['a name without a type', ['a.acme.test']],
    ['a type without a name', [{ type: 'dns' }]],
    ['a number', [dns(1)]],
    ['null', [null]],
    ['101 names', Array.from({ length: 101 }, (_, at) => dns(`n${at}.acme.test`))],
  ])('is rejected with %s as identifiers', async (_what, identifiers) => {
    expectProblem(await order(identifiers), 400, 'malformed');
  });

  it('accepts a hundred names', async () => {
    const { status, body } = await order(Array.from({ length: 100 }, (_, at) => dns(`n${at}.acme.test`)));
    expect([status, body.authorizations.length]).toEqual([201, 100]);
  });

  it('reports every rejected identifier with the reason (§6.7.1)', async () => {
    const bad = [dns('a_b.test'), ip('192.0.2.01'), { type: 'email', value: 'a@b.test' }];
    const problem = expectProblem(await order([dns('good.acme.test'), ...bad]), 400, 'compound');
    expect(problem.subproblems?.map(({ type, identifier }) => [type.split(':').at(-1), identifier?.value])).toEqual([
      ['rejectedIdentifier', 'a_b.test'],
      ['malformed', '192.0.2.01'],
      ['unsupportedIdentifier', undefined],
    ]);
    for (const { detail } of problem.subproblems ?? []) expect(detail).toMatch(/\.$/);
    // Many clients display nothing but the detail.
    expect(problem.detail).toBe(
      'Cannot issue for "a_b.test": Invalid DNS name: it contains an underscore, which host names do not permit; use a hyphen, or allow underscores in the RA profile (and 2 more; see the subproblems).',
    );
  });

  it('accepts underscores if the RA profile allows them', async () => {
    const { raProfileUuid } = await createAuthority(acme.server.client, {
      name: 'With underscores',
      raProfileValues: { data_allowUnderscores: true },
    });
    const account = await acme.account(await addAcmeProfile(acme, { raProfileUuid }));
    const name = acme.host('a_b');
    const { chain } = await acme.issue(account, [name], { names: [name] });
    expect(new X509Certificate(chain).subjectAltName).toBe(`DNS:${name}`);
  });
});

describe('an identifier', () => {
  it.each([
    ['in uppercase', dns('WWW.Acme.TEST'), 'www.acme.test'],
    ['with a trailing dot', dns('dot.acme.test.'), 'dot.acme.test'],
    ['with a single label, in an internal network', dns('intranet'), 'intranet'],
    ['in the ASCII form of an internationalized name', dns('xn--bcher-kva.acme.test'), 'xn--bcher-kva.acme.test'],
    ['in Unicode', dns('Bücher.acme.test'), 'xn--bcher-kva.acme.test'],
    ['that is a wildcard in Unicode', dns('*.bücher.acme.test.'), '*.xn--bcher-kva.acme.test'],
    ['with digits', dns('1.2.3.test'), '1.2.3.test'],
    ['of the maximum length', dns(`${label63}.${label63}.${label63}.${'a'.repeat(61)}`), undefined],
    ['that is a wildcard', dns('*.Wild.acme.test'), '*.wild.acme.test'],
    ['that is an IPv4 address (RFC 8738 §3)', ip('192.0.2.1'), '192.0.2.1'],
    ['that is an IPv6 address (RFC 8738 §3)', ip('2001:db8::1'), '2001:db8::1'],
  ])('%s is accepted', async (_what, identifier, expected) => {
    const { status, body, text } = await order([identifier]);
    expect([status, body.identifiers], text).toEqual([201, [{ ...identifier, value: expected ?? identifier.value }]]);
  });

  it('counts only once, even if it is repeated in different forms', async () => {
    const { body } = await order([dns('same.acme.test'), dns('SAME.acme.test'), dns('same.acme.test.')]);
    expect([body.identifiers, body.authorizations.length]).toEqual([[dns('same.acme.test')], 1]);
  });

  it('that is a wildcard is validated using its base name (§7.1.4)', async () => {
    const { body } = await order([dns('*.base.acme.test'), dns('base.acme.test')]);
    const authorizations = await Promise.all(body.authorizations.map((url) => client.authorization(url)));
    expect(authorizations.map((each) => [each.body.identifier, each.body.wildcard])).toEqual([
      [dns('base.acme.test'), true],
      [dns('base.acme.test'), undefined],
    ]);
  });

  it.each([
    '', '.', '..', 'a..b', '.a.test', 'a.test..', '-a.test', 'a-.test', 'a_b.test', '_acme-challenge.a.test', 'bü cher.test',
    '１２７.0.0.1', '*', '*.', '*.test', 'a.*.test', '**.a.test', '*a.b.test', '*.*.a.test', 'a b.test', 'a.test/x', 'a.test:443',
    'https://a.test', 'user@a.test', 'a\u0000.test', 'a.test\n', '192.0.2.1', '192.0.2.1.', '1.2.3', '127.1', 'a.0x7f', 'a.test.1',
    '0x7f000001', '2001:db8::1', '[::1]', `${label63}a.test`, `${label63}.${label63}.${label63}.${label63}`,
  ])('of type dns is rejected: %j', async (value) => {
    const problem = expectProblem(await order([dns(value)]), 400, 'rejectedIdentifier');
    expect(problem.subproblems).toMatchObject([{ type: problem.type, identifier: { type: 'dns' } }]);
  }); // prettier-ignore

  it.each([
    '', '192.0.2', '192.0.2.01', '192.0.2.256', '0xC0000201', '3221225985', '192.0.2.1/32', ' 192.0.2.1', '2001:DB8::1',
    '2001:db8:0:0:0:0:0:1', '2001:db8::0001', '[2001:db8::1]', 'fe80::1%eth0', 'example.com', '*.0.2.1',
  ])('of type ip is rejected: %j (RFC 8738 §3)', async (value) => {
    expectProblem(await order([ip(value)]), 400, 'malformed');
  }); // prettier-ignore

  it('of any other type is not supported (§6.7)', async () => {
    expectProblem(await order([{ type: 'email', value: 'a@example.com' }]), 400, 'unsupportedIdentifier');
  });
});

describe('the validity period requested in an order (RFC 8555 §7.4)', () => {
  const inMs = (ms: number): string => new Date(Math.floor((Date.now() + ms) / 1000) * 1000).toISOString();

  it('is applied to the certificate', async () => {
    const name = acme.host('validity');
    const wish = { notBefore: inMs(HOUR_MS), notAfter: inMs(30 * HOUR_MS) };
    const { placed, certificate } = await issueFor(name, wish);
    expect(placed).toMatchObject(wish);
    expect([certificate.validFromDate, certificate.validToDate].map((date) => date.toISOString())).toEqual([
      wish.notBefore,
      wish.notAfter,
    ]);
  });

  it('can omit one of the dates, and can use a time zone offset', async () => {
    const notAfter = inMs(48 * HOUR_MS);
    const elsewhere = new Date(Date.parse(notAfter) + 2 * HOUR_MS).toISOString().replace('.000Z', '+02:00');
    const { placed, certificate } = await issueFor(acme.host('open'), { notAfter: elsewhere });
    expect(placed.notAfter).toBe(notAfter);
    expect(placed).not.toHaveProperty('notBefore');
    expect(certificate.validToDate.toISOString()).toBe(notAfter);
  });

  it.each([
    ['in the past', { notAfter: '2020-01-01T00:00:00Z' }],
    ['with an end before its start', { notBefore: '2099-01-02T00:00:00Z', notAfter: '2099-01-01T00:00:00Z' }],
    ['without a time zone', { notAfter: '2099-01-01T00:00:00' }],
    ['as a date without a time', { notAfter: '2099-01-01' }],
    ['on a nonexistent date', { notAfter: '2099-13-45T00:00:00Z' }],
    ['as a number', { notAfter: 4_070_908_800 }],
    ['in the year 0', { notBefore: '0000-01-01T00:00:00Z' }],
    ['before the year 0 in UTC', { notBefore: '0000-01-01T00:00:00+12:00' }],
    ['after the year 9999 in UTC', { notAfter: '9999-12-31T23:59:59-12:00' }],
  ])('is rejected: %s', async (_what, wish) => {
    expectProblem(await order([dns(acme.host('wish'))], wish), 400, 'malformed');
  });

  it("makes the order fail if it exceeds the authority's limit, and is not shortened", async () => {
    const name = acme.host('long');
    const wish = { notAfter: inMs(365 * 100 * 24 * HOUR_MS) };
    const placed = await order([dns(name)], wish);
    const { status, body, text } = await proveAndFinalize(placed, name);
    expect([status, body.status], text).toEqual([200, 'invalid']);
    expect(body.error?.detail).toMatch(/^The validity period must not end after/);
    expect(body).not.toHaveProperty('certificate');
  });

  async function proveAndFinalize(placed: AcmeReply<AcmeOrder>, name: string): Promise<AcmeReply<AcmeOrder>> {
    for (const url of placed.body.authorizations) expect((await acme.prove(client, url)).status).toBe('valid');
    const { der } = await makeSigningRequest({ names: [name] });
    return client.finalize(placed.body.finalize, der);
  }

  async function issueFor(name: string, wish: object) {
    const placed = await order([dns(name)], wish);
    expect(placed.status, placed.text).toBe(201);
    const done = await proveAndFinalize(placed, name);
    const { text } = await client.download(done.body.certificate ?? expect.unreachable(done.text));
    return { placed: done.body, certificate: new X509Certificate(text) };
  }
});

describe('an expired order (RFC 8555 §7.1.6)', () => {
  it('is invalid, and its authorizations have expired', async () => {
    const account = await acme.account(await addAcmeProfile(acme, { validity: 0 }));
    const placed = await account.newOrder([acme.host('late')]);
    const read = await account.order(placed.location ?? '');
    expect(read.body).toMatchObject({
      status: 'invalid',
      error: { detail: expect.stringContaining('expired') as string },
    });
    const { body } = await account.authorization(placed.body.authorizations[0] ?? '');
    expect(body.status).toBe('expired');
    expectProblem(await account.respond(body.challenges[0]?.url ?? ''), 400, 'malformed');
    const { der } = await makeSigningRequest({ names: [placed.body.identifiers[0]?.value ?? ''] });
    expectProblem(await account.finalize(placed.body.finalize, der), 403, 'orderNotReady');
    expect((await account.signed<OrderList>(ordersUrl(account))).body.orders).toEqual([]);
  });
});

interface OrderList {
  readonly orders: readonly string[];
}
const ordersUrl = (account: AcmeTestClient): string => account.accountUrl?.replace('/acct/', '/orders/') ?? '';

describe("an account's order list (RFC 8555 §7.1.2.1)", () => {
  it('contains every order that has not ended, divided into pages', async () => {
    const account = await acme.account();
    const placed: (string | undefined)[] = [];
    for (let made = 0; made < 105; made += 15) {
      const batch = Array.from({ length: 15 }, (_, at) => account.newOrder([`page-${made + at}.acme.test`]));
      placed.push(...(await Promise.all(batch)).map(({ location }) => location));
    }
    const over = await account.newOrder(['over.acme.test']);
    await account.signed(over.body.authorizations[0] ?? '', { status: 'deactivated' });

    const first = await account.signed<OrderList>(ordersUrl(account));
    const [next = ''] = first.links.get('next') ?? [];
    const second = await account.signed<OrderList>(next);
    expect(first.body.orders).toHaveLength(100);
    expect(second.links.get('next')).toBeUndefined();
    expect([...first.body.orders, ...second.body.orders].toSorted()).toEqual(placed.toSorted());
    expectProblem(await account.signed(`${ordersUrl(account)}?cursor=1`), 400, 'malformed');
    expect((await client.signed<OrderList>(next.replace(ordersUrl(account), ordersUrl(client)))).status).toBe(200);
  });
});
