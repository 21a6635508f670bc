// Goal: only a registration authority can forward device messages, individually or in batches. Every faulty forwarded
// message gets a response, and issues nothing.
import { randomUUID } from 'node:crypto';
import { parseCertificate, parsePkiMessage, verifySignatureProtection } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  confirmationOf,
  exchange,
  makeMessage,
  newTransaction,
  readResponse,
  requestFor,
  type CmpResponse,
} from './testing/cmp-client.ts';
import { certificatesNamed, serveCmp, SHARED, signedResponseSettings } from './testing/cmp-profiles.ts';
import { base64, batchOf, irOf, forwardMessage, signerOf, signMessage, type CmpSigner } from './testing/cmp-signer.ts';
import { createExternalAuthority, type ExternalAuthority } from './testing/external-authority.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';

const server = sharedTestServer();
let path: IssuingPath;
let authority: ExternalAuthority;
/** `registration` is named by the profiles, `stranger` by none. */
let registration: CmpSigner;
let stranger: CmpSigner;
/** `url` accepts the shared secret and protects its responses with it; `signing` signs its responses. */
let url: string;
let signing: string;

beforeAll(async () => {
  path = await defaultProfile(server.client);
  authority = await createExternalAuthority('CN=Offices');
  registration = await signerOf(authority, 'CN=Office 1');
  stranger = await signerOf(authority, 'CN=Office 2');
  const registrationAuthorities = [base64(registration.certificate)];
  const trustedAuthorities = [base64(authority.der)];
  ({ url } = await serveCmp(server, path, { registrationAuthorities, trustedAuthorities }));
  const answers = await signedResponseSettings(server.client, path);
  ({ url: signing } = await serveCmp(server, path, { ...answers, registrationAuthorities, trustedAuthorities }));
});

const newName = (): string => `${randomUUID().slice(0, 8)}.example`;
const fromDevice = async (name: string, where = newTransaction(), secret = SHARED.secret) =>
  makeMessage(where, await requestFor(`CN=${name}`), { ...SHARED, secret });
const rejectionOf = ({ body, failures, words }: CmpResponse) => ({ type: body.type, failures, words });
const namesOf = (certificate: CmpResponse['certificate']) => certificate?.subject.rdns.flat().map(({ value }) => value);
const countOf = async (...names: readonly string[]) =>
  (await Promise.all(names.map((name) => certificatesNamed(server.client, name)))).flat().length;

describe('a single forwarded message', () => {
  it("is answered as if its device had sent it, in its transaction and under the device's secret", async () => {
    const name = newName();
    const first = await exchange(url, forwardMessage(await fromDevice(name), registration));
    expect([namesOf(first.certificate), await first.isProtectedBy(SHARED.secret)]).toEqual([[name], true]);
    if (!first.certificate) throw new Error(first.words);
    const confirmation = await makeMessage(first.transaction, confirmationOf(first.certificate), SHARED);
    expect((await exchange(url, forwardMessage(confirmation, registration))).body.type).toBe('pkiconf');
    const { enrollments } = await server.client.enrollments.listEnrollments({ query: { protocol: 'cmp', text: name } });
    expect(enrollments).toMatchObject([{ state: 'confirmed', requester: 'shared secret' }]);
  });

  it('does not need a proof of possession if the registration authority vouches for the key', async () => {
    const [vouched, alone] = [newName(), newName()];
    const from = async (name: string) =>
      makeMessage(newTransaction(), await irOf(`CN=${name}`, { proof: 'raVerified' }), SHARED);
    expect(namesOf((await exchange(url, forwardMessage(await from(vouched), registration))).certificate)).toEqual([
      vouched,
    ]);
    expect(rejectionOf(await exchange(url, await from(alone)))).toMatchObject({ type: 'ip', failures: ['badPOP'] });
    const unproven = await makeMessage(newTransaction(), await irOf(`CN=${alone}`, { proof: 'none' }), SHARED);
    expect(rejectionOf(await exchange(url, forwardMessage(unproven, registration)))).toMatchObject({
      failures: ['badPOP'],
    });
    expect(await countOf(alone)).toBe(0);
  });

  it('can be forwarded by two authorities in succession, but not by three', async () => {
    const [name, other] = [newName(), newName()];
    const twice = forwardMessage(forwardMessage(await fromDevice(name), registration), registration);
    expect(namesOf((await exchange(url, twice)).certificate)).toEqual([name]);
    const thrice = forwardMessage(
      forwardMessage(forwardMessage(await fromDevice(other), registration), registration),
      registration,
    );
    const words = expect.stringContaining('nested at most 2 levels deep');
    expect(rejectionOf(await exchange(url, thrice))).toEqual({ type: 'error', failures: ['badRequest'], words });
    expect(await countOf(other)).toBe(0);
  });

  it.each([
    ['transactionID', { transactionId: nodeCrypto.randomBytes(16) }, 'badRequest'],
    ['senderNonce', { senderNonce: nodeCrypto.randomBytes(16) }, 'badSenderNonce'],
    ['recipNonce', { recipientNonce: nodeCrypto.randomBytes(16) }, 'badRecipientNonce'],
  ])('is rejected if the outer %s differs', async (field, more, failure) => {
    const name = newName();
    const answer = await exchange(url, forwardMessage(await fromDevice(name), registration, more));
    expect(rejectionOf(answer)).toEqual({
      type: 'error',
      failures: [failure],
      words: `The ${field} does not match that of the inner message.`,
    });
    expect(await countOf(name)).toBe(0);
  });

  it('is validated by its own protection, regardless of who forwards it', async () => {
    const name = newName();
    const wrong = await fromDevice(name, newTransaction(), 'another secret of nobody');
    expect(rejectionOf(await exchange(url, forwardMessage(wrong, registration)))).toMatchObject({
      failures: ['badMessageCheck'],
    });
    const altered = Buffer.from(await fromDevice(name));
    altered.write('x', altered.indexOf(name), 'latin1');
    expect(rejectionOf(await exchange(url, forwardMessage(altered, registration)))).toMatchObject({
      failures: ['badMessageCheck'],
    });
    const passed = Buffer.from(forwardMessage(await fromDevice(name), registration));
    passed.write('x', passed.indexOf(name), 'latin1');
    expect(rejectionOf(await exchange(url, passed))).toMatchObject({ type: 'error', failures: ['badMessageCheck'] });
    expect(await countOf(name, `x${name.slice(1)}`)).toBe(0);
  });

  it('is accepted only from a registration authority of the profile, and only if signed', async () => {
    const name = newName();
    const message = await fromDevice(name);
    const notAuthorized = {
      type: 'error',
      failures: ['notAuthorized'],
      words: expect.stringContaining('Only a registration authority'),
    };
    expect(rejectionOf(await exchange(url, forwardMessage(message, stranger)))).toEqual(notAuthorized);
    const { transactionId = new Uint8Array(), senderNonce } = parsePkiMessage(message).header;
    const body = { type: 'nested', messages: [message] } as const;
    const byMac = await makeMessage({ transactionId }, body, SHARED);
    expect(rejectionOf(await exchange(url, byMac))).toMatchObject({ type: 'error', failures: ['wrongIntegrity'] });
    // The registration authority's certificate, with a different key.
    const posing = signMessage({ transactionId, senderNonce }, body, { ...registration, keys: stranger.keys });
    expect(rejectionOf(await exchange(url, posing))).toMatchObject({ type: 'error', failures: ['badMessageCheck'] });
    expect(await countOf(name)).toBe(0);
  });

  it('that is truncated at any position is answered with a CMP error, and nothing is issued', async () => {
    const name = newName();
    const message = forwardMessage(await fromDevice(name), registration);
    for (let length = 0; length < message.length; length += 13) {
      const { body, failures } = await exchange(url, message.subarray(0, length));
      expect({ length, type: body.type, failures: failures.length }).toEqual({ length, type: 'error', failures: 1 });
    }
    expect(await countOf(name)).toBe(0);
  });
});

describe('a batch', () => {
  it('is answered by a signed message that contains all responses in order, including failures', async () => {
    const names = Array.from({ length: 12 }, newName);
    const messages = await Promise.all(names.map((name) => fromDevice(name)));
    messages[5] = await fromDevice(names[5] ?? '', newTransaction(), 'another secret of nobody');
    const batch = batchOf(messages, registration);
    const { body, message } = await exchange(signing, batch);
    const [signer = expect.fail('no certificate')] = message.extraCerts.map((der) => parseCertificate(der));
    expect(verifySignatureProtection(message, { spki: signer.spki, verify: nodeCrypto.verify })).toBe(true);
    const { transactionId, senderNonce } = parsePkiMessage(batch).header;
    expect(message.header).toMatchObject({ transactionId, recipientNonce: senderNonce });
    const answers = body.type === 'nested' ? body.messages.map((der) => readResponse(der)) : expect.fail(body.type);
    expect(answers.map(({ certificate, failures }) => namesOf(certificate) ?? failures)).toEqual(
      names.map((name, index) => (index === 5 ? ['badMessageCheck'] : [name])),
    );
    expect(answers.map((each) => each.message.header.transactionId)).toEqual(
      messages.map((each) => parsePkiMessage(each).header.transactionId),
    );
    expect(await countOf(names[5] ?? '')).toBe(0);
  });

  it('can contain messages protected by a different authority, and a malformed message is answered in its position', async () => {
    const [one, other] = [newName(), newName()];
    const nonsense = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x05);
    const inner = forwardMessage(await fromDevice(one), registration);
    const { body } = await exchange(signing, batchOf([inner, nonsense, await fromDevice(other)], registration));
    const answers = body.type === 'nested' ? body.messages.map((der) => readResponse(der)) : expect.fail(body.type);
    expect(answers.map(({ certificate, failures }) => namesOf(certificate) ?? failures)).toEqual([
      [one],
      ['badDataFormat'],
      [other],
    ]);
    const byStranger = forwardMessage(await fromDevice(newName()), stranger);
    const mixed = await exchange(signing, batchOf([byStranger, await fromDevice(newName())], registration));
    const [refused] = mixed.body.type === 'nested' ? mixed.body.messages.map((der) => readResponse(der)) : [];
    expect(refused?.failures).toEqual(['notAuthorized']);
  });

  it('is rejected as a whole if it is empty, too long or nested too deeply, or if it reuses transaction IDs', async () => {
    const name = newName();
    const one = await fromDevice(name);
    const many = Array.from({ length: 101 }, () => one);
    const transaction = newTransaction();
    const sameTransaction = [await fromDevice(name, transaction), await fromDevice(name, transaction)];
    const { transactionId = new Uint8Array() } = parsePkiMessage(one).header;
    const deep = forwardMessage(forwardMessage(one, registration), registration);
    const halves = [batchOf(many.slice(0, 60), registration), batchOf(many.slice(0, 60), registration)];
    for (const [message, failure, words] of [
      [emptyBatch(one), 'badDataFormat', /./],
      [batchOf(many, registration), 'badRequest', /./],
      [batchOf(halves, registration), 'badRequest', /100 others/],
      [batchOf([deep, await fromDevice(name)], registration), 'badRequest', /2 levels/],
      [batchOf(sameTransaction, registration), 'badRequest', /different transactionIDs/],
      [batchOf([one, await fromDevice(name)], registration, { transactionId }), 'badRequest', /different/],
      [batchOf([one, one.subarray(0, -5)], registration), 'badDataFormat', /./],
      [batchOf([one, await fromDevice(name)], stranger), 'notAuthorized', /Only a registration authority/],
    ] as const)
      expect(rejectionOf(await exchange(signing, message))).toEqual({
        type: 'error',
        failures: [failure],
        words: expect.stringMatching(words),
      });
    expect(await countOf(name)).toBe(0);
  });

  it('is rejected if its response cannot be signed', async () => {
    const name = newName();
    const answer = await exchange(url, batchOf([await fromDevice(name), await fromDevice(name)], registration));
    const words = expect.stringContaining('does not sign responses and therefore does not accept batches');
    expect(rejectionOf(answer)).toEqual({ type: 'error', failures: ['badRequest'], words });
    expect(await countOf(name)).toBe(0);
  });
});

/** Signed message with an empty list. The codec cannot write one, so the list has a single element of zero bytes. */
function emptyBatch(message: Uint8Array): Uint8Array {
  const { transactionId = new Uint8Array() } = parsePkiMessage(message).header;
  return signMessage({ transactionId }, { type: 'nested', messages: [Uint8Array.of()] }, registration);
}
