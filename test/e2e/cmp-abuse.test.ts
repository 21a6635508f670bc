// Goal: every faulty CMP message gets an error with the matching PKIFailureInfo bit and an explanation, and nothing is
// issued, confirmed or revoked.
import type { Client } from '@signetry/client';
import { macCosts, parsePkiMessage } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import {
  CMP_TYPE,
  confirmationOf,
  exchange,
  makeMessage,
  newTransaction,
  post,
  requestFor,
  type CmpResponse,
} from './testing/cmp-client.ts';

const server = sharedTestServer();
const shared = { secret: 'a secret of the factory', reference: 'device-7' };
let client: Client;
let path: IssuingPath;
let url: string;
let profileUuid: string;

async function makeProfile(more: object = {}): Promise<{ readonly url: string; readonly uuid: string }> {
  const name = `cmp-${randomUUID()}`;
  const { uuid } = await client.cmpProfiles.createCmpProfile({
    body: {
      name,
      variant: 'v2',
      raProfileUuid: path.raProfileUuid,
      requestProtectionMethod: 'sharedSecret',
      responseProtectionMethod: 'sharedSecret',
      sharedSecret: shared.secret,
      ...more,
    },
  });
  await client.cmpProfiles.enableCmpProfile({ params: { cmpProfileUuid: uuid } });
  return { url: `${server.ready.http}/api/v1/protocols/cmp/${name}`, uuid };
}

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  ({ url, uuid: profileUuid } = await makeProfile());
});

const statesOf = async (text: string) =>
  (await client.enrollments.listEnrollments({ query: { protocol: 'cmp', text } })).enrollments.map(
    ({ state }) => state,
  );

const certificatesNamed = async (commonName: string) =>
  (await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } })).certificates.filter(
    (certificate) => certificate.commonName === commonName,
  );

const newName = (): string => `${randomUUID().slice(0, 8)}.example`;

/** Requests a certificate that awaits confirmation, with the shared secret unless a different one is specified. */
async function beginTransaction(name: string, by: { readonly secret: string; readonly reference: string } = shared) {
  const answer = await exchange(url, await makeMessage(newTransaction(), await requestFor(`CN=${name}`), by));
  if (!answer.certificate) throw new Error(`${answer.failures.join()}: ${answer.words}`);
  return { ...answer, certificate: answer.certificate };
}

const rejectionOf = ({ body, failures, words }: CmpResponse) => ({ type: body.type, failures, words });

describe('a transaction', () => {
  it('is confirmed by its initiator, with either kind of MAC', async () => {
    const name = newName();
    const first = await beginTransaction(name);
    expect(await first.isProtectedBy(shared.secret)).toBe(true);
    const confirmation = await makeMessage(first.transaction, confirmationOf(first.certificate), shared);
    expect((await exchange(url, confirmation)).body.type).toBe('pkiconf');
    expect(await statesOf(name)).toEqual(['confirmed']);
    const other = newName();
    const ofPbmac1 = { ...shared, kind: 'pbmac1' } as const;
    const answer = await exchange(url, await makeMessage(newTransaction(), await requestFor(`CN=${other}`), ofPbmac1));
    expect(answer.certificate?.subject.rdns.flat().map(({ value }) => value)).toEqual([other]);
    expect(await answer.isProtectedBy(shared.secret)).toBe(true);
  });

  it("is answered with the client's salt and iteration count, unless these are weak", async () => {
    const responseMacCosts = async (iterations: number) => {
      const message = await makeMessage(newTransaction(), await requestFor(`CN=${newName()}`), {
        ...shared,
        iterations,
      });
      const { message: answer, isProtectedBy } = await exchange(url, message);
      expect(await isProtectedBy(shared.secret)).toBe(true);
      const [asked, answered] = [parsePkiMessage(message), answer].map(({ header }) => header.protectionAlgorithm);
      return { isSame: Buffer.compare(asked?.der ?? message, answered?.der ?? message) === 0, ...macCosts(answered!) };
    };
    expect(await responseMacCosts(1_000)).toMatchObject({ isSame: true, saltLength: 16, iterations: 1_000 });
    expect(await responseMacCosts(100)).toMatchObject({ isSame: false, saltLength: 20, iterations: 500 });
    expect(await responseMacCosts(20_000)).toMatchObject({ isSame: false, saltLength: 20, iterations: 10_000 });
  });

  it('ends if the client reports an error, and the unconfirmed certificate is revoked', async () => {
    const name = newName();
    const { transaction } = await beginTransaction(name);
    const status = { status: 'rejection', texts: ['no room for it'] } as const;
    const message = await makeMessage(transaction, { type: 'error', status }, shared);
    expect((await exchange(url, message)).body.type).toBe('pkiconf');
    expect(await statesOf(name)).toEqual(['revoked']);
    expect((await certificatesNamed(name)).map(({ state }) => state)).toEqual(['revoked']);
    const unknown = await exchange(url, await makeMessage(newTransaction(), { type: 'error', status }, shared));
    expect(rejectionOf(unknown)).toMatchObject({ type: 'error', failures: ['badRequest'] });
  });

  it('cannot be continued by a different sender who observed its identifiers', async () => {
    const name = newName();
    const oneTime = await client.enrollmentSecrets.createEnrollmentSecret({ params: path, body: { protocol: 'cmp' } });
    const { transaction, certificate } = await beginTransaction(name, oneTime);
    const rejecting = { type: 'certConf', confirmations: [] } as const;
    for (const body of [rejecting, confirmationOf(certificate), { type: 'pollReq', certReqIds: [0] } as const])
      expect(rejectionOf(await exchange(url, await makeMessage(transaction, body, shared)))).toEqual({
        type: 'error',
        failures: ['notAuthorized'],
        words: 'A different sender started this transaction.',
      });
    expect(await statesOf(name)).toEqual(['issued']);
    expect((await certificatesNamed(name)).map(({ state }) => state)).toEqual(['issued']);
    const own = await exchange(url, await makeMessage(transaction, confirmationOf(certificate), oneTime));
    expect(own.body.type).toBe('pkiconf');
  });

  it('can be started only once', async () => {
    const name = newName();
    const transaction = newTransaction();
    const ask = async () => exchange(url, await makeMessage(transaction, await requestFor(`CN=${name}`), shared));
    expect((await ask()).certificate).toBeDefined();
    expect(rejectionOf(await ask())).toMatchObject({ type: 'error', failures: ['transactionIdInUse'] });
    expect(await certificatesNamed(name)).toHaveLength(1);
  });

  it('continues only with the nonce from our last response and the hash of its certificate', async () => {
    const name = newName();
    const { transaction, certificate } = await beginTransaction(name);
    const stale = { ...transaction, recipientNonce: new Uint8Array(16) };
    const confirm = async (where: typeof transaction, of = certificate) =>
      rejectionOf(await exchange(url, await makeMessage(where, confirmationOf(of), shared)));
    expect(await confirm(stale)).toMatchObject({ failures: ['badRecipientNonce'] });
    const other = await beginTransaction(newName());
    expect(await confirm(transaction, other.certificate)).toMatchObject({ failures: ['badCertId'] });
    expect(await confirm(newTransaction())).toMatchObject({ failures: ['badRequest'] });
    expect(await statesOf(name)).toEqual(['issued']);
  });
});

describe("guesses at a CMP profile's secret", () => {
  it('are rejected without revealing anything about the secret once the quota per minute is exceeded, while the correct secret is still accepted', async () => {
    const { url: place } = await makeProfile();
    const guess = { ...shared, secret: 'a guess of somebody', iterations: 100 };
    const answers = new Set<string>();
    for (let count = 0; count < 64; count += 1) {
      const message = await makeMessage(newTransaction(), { type: 'genm', infos: [] }, guess);
      const { failures, words } = await exchange(place, message);
      answers.add(`${failures.join()}: ${words.replace(/\d+ s/, 'N s')}`);
    }
    expect([...answers]).toEqual([
      'badMessageCheck: The MAC of the message is incorrect: the secret is different, or the message was modified.',
      'systemUnavail: Too many invalid secrets and passwords for this profile from your IP address; try again in N s.',
    ]);
    const message = await makeMessage(newTransaction(), await requestFor(`CN=${newName()}`), shared);
    expect((await exchange(place, message)).certificate).toBeDefined();
  });
});

describe('well-known URLs', () => {
  it('serve a profile by name, with or without an operation label (RFC 9811)', async () => {
    const name = url.split('/').at(-1) ?? '';
    const { http } = server.ready;
    for (const place of [`/.well-known/cmp/p/${name}`, `/.well-known/cmp/p/${name}/initialization`]) {
      const message = await makeMessage(newTransaction(), await requestFor(`CN=${newName()}`), shared);
      expect((await exchange(http + place, message)).certificate).toBeDefined();
    }
    const message = await makeMessage(newTransaction(), await requestFor('CN=x.example'), shared);
    const words = expect.stringContaining('/.well-known/cmp/p/NAME');
    for (const place of ['/.well-known/cmp', '/.well-known/cmp/initialization'])
      expect(rejectionOf(await exchange(http + place, message))).toEqual({
        type: 'error',
        failures: ['badRequest'],
        words,
      });
  });
});

describe('a request', () => {
  it.each([
    [
      'with the MAC of a different secret',
      { secret: 'an unknown secret' },
      'badMessageCheck',
      /MAC .* is incorrect: the secret is different/,
    ],
    ['with a version that differs from the profile’s', { pvno: 3 }, 'unsupportedVersion', /version 2/],
    ['that specifies ten million iterations', { iterations: 10_000_000 }, 'badRequest', /100 to 100000/],
  ])('%s is rejected', async (_what, more, failure, words) => {
    const name = newName();
    const message = await makeMessage(newTransaction(), await requestFor(`CN=${name}`), {
      ...shared,
      iterations: 1_000,
      ...more,
    });
    const answer = await exchange(url, message);
    expect(rejectionOf(answer)).toEqual({ type: 'error', failures: [failure], words: expect.stringMatching(words) });
    expect(await certificatesNamed(name)).toEqual([]);
  });

  it('that was modified in transit is rejected', async () => {
    const [name, other] = ['changed-a.example', 'changed-b.example'];
    const message = Buffer.from(await makeMessage(newTransaction(), await requestFor(`CN=${name}`), shared));
    message.write(other, message.indexOf(name), 'latin1');
    expect(rejectionOf(await exchange(url, message))).toMatchObject({ type: 'error', failures: ['badMessageCheck'] });
    expect([...(await certificatesNamed(name)), ...(await certificatesNamed(other))]).toEqual([]);
  });

  it('without a valid proof of possession is rejected', async () => {
    const name = newName();
    const body = await requestFor(`CN=${name}`);
    if (body.type !== 'ir') throw new Error(body.type);
    const forged = Buffer.from(body.requests[0] ?? []);
    // The last byte is part of the signature.
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    const answer = await exchange(url, await makeMessage(newTransaction(), { type: 'ir', requests: [forged] }, shared));
    expect(rejectionOf(answer)).toMatchObject({ type: 'ip', failures: ['badPOP'] });
    expect(await certificatesNamed(name)).toEqual([]);
  });

  it('that is truncated at any position is answered with a CMP error, and nothing is issued', async () => {
    const name = newName();
    const message = await makeMessage(newTransaction(), await requestFor(`CN=${name}`), shared);
    for (let length = 0; length < message.length; length += 1) {
      const { body, failures } = await exchange(url, message.subarray(0, length));
      expect({ length, type: body.type, failures: failures.length }).toEqual({ length, type: 'error', failures: 1 });
    }
    expect(await certificatesNamed(name)).toEqual([]);
  });

  it('with a different media type, or that is too long, is rejected at the HTTP level', async () => {
    const message = await makeMessage(newTransaction(), await requestFor('CN=x.example'), shared);
    expect((await post(url, message, 'application/json')).status).toBe(415);
    expect((await post(url, new Uint8Array(2 * 1024 * 1024))).status).toBe(413);
    expect((await fetch(url)).headers.get('content-type')).toBe(CMP_TYPE);
  });

  it('for a disabled profile is rejected', async () => {
    const { url: place, uuid } = await makeProfile();
    await client.cmpProfiles.disableCmpProfile({ params: { cmpProfileUuid: uuid } });
    const answer = await exchange(
      place,
      await makeMessage(newTransaction(), await requestFor('CN=off.example'), shared),
    );
    expect(rejectionOf(answer)).toMatchObject({ type: 'error', failures: ['systemUnavail'] });
    expect(uuid).not.toBe(profileUuid);
  });
});
