// Outcomes of first requests, repeated requests and polls.
import { buildIssuerAndSubject } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { checksAfter } from '../../areas/enrollments/testing/limited-checks.ts';
import { AppError } from '../../kernel/errors.ts';
import { Secret } from '../../kernel/secret.ts';
import { sha256 } from './sha256.ts';
import { processRequest, type RequestSpec } from './testing/process-request.ts';
import { makeDevice, requestOf, type Device } from './testing/scep-messages.ts';
import { createPorts, enrollmentOf, type ScepPorts } from './testing/scep-ports.ts';

let device: Device;
let stranger: Device;
let issuer: Device;
let ports: ScepPorts;

beforeAll(async () => {
  const keys = await generateKeyPair('RSA-2048');
  device = await makeDevice('device.example');
  stranger = await makeDevice('device.example', { keys });
  issuer = await makeDevice('issuer.example', { ca: true });
});
beforeEach(() => {
  ports = createPorts();
});

const ANSWER = Uint8Array.of(1, 2, 3);
const PASSWORD = new Secret('password');
const keyOf = ({ keys }: Device): string => sha256(keys.spki);

const ask = (wish: Partial<RequestSpec> = {}, settings: Partial<ServedScepProfile> = {}) =>
  processRequest(ports, { signer: device, content: requestOf(device), ...wish }, settings);

const pollOf = ({ certificate }: Device): Uint8Array =>
  buildIssuerAndSubject({ issuer: certificate.issuerDer, subject: certificate.subjectDer });
const poll = (wish: Partial<RequestSpec> = {}) => ask({ type: 'CertPoll', content: pollOf(device), ...wish });

describe('an initial request', () => {
  it('receives the certificate if it is issued immediately, and has to wait otherwise', async () => {
    expect(await ask({ transactionId: 'waits' })).toEqual({ status: 'pending' });
    ports.state.outcome = { state: 'issued', certificate: ANSWER };
    expect(await ask({ transactionId: 'ready' })).toEqual({ status: 'success', certificates: [ANSWER] });
  });

  it('starts a transaction with its sender, its content, and the key that can poll for it', async () => {
    await ask({ transactionId: 'T1' }, { requireManualApproval: true });
    expect(ports.begun).toMatchObject([
      {
        protocol: 'scep',
        transactionId: 'T1',
        kind: 'PKCSReq',
        requester: 'CN=device.example, O=Test',
        predecessorUuid: undefined,
        requireManualApproval: true,
        detail: { signerKey: keyOf(device) },
      },
    ]);
  });

  it("requires the profile's challenge password", async () => {
    const settings = { challengePassword: PASSWORD };
    await expect(ask({}, settings)).rejects.toMatchObject({ failInfo: 'badMessageCheck' });
    expect(ports.begun).toEqual([]);
    expect(await ask({ content: requestOf(device, 'password') }, settings)).toEqual({ status: 'pending' });
  });

  it('is rejected identically beyond the limit for incorrect challenge passwords, while the correct one is still accepted', async () => {
    ports.state.checkCredential = checksAfter(1);
    const settings = { challengePassword: PASSWORD };
    const guess = () => ask({ content: requestOf(device, 'a guess') }, settings);
    await expect(guess()).rejects.toMatchObject({ failInfo: 'badMessageCheck' });
    await expect(guess()).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'Too many invalid secrets and passwords for this profile from your IP address; try again in 9 s.',
    });
    expect(await ask({ content: requestOf(device, 'password') }, settings)).toEqual({ status: 'pending' });
  });

  it('must contain the key of its signer certificate if that is self-signed', async () => {
    await expect(ask({ signer: stranger })).rejects.toMatchObject({
      failInfo: 'badMessageCheck',
      message: 'A self-signed client certificate must contain the key of the request.',
    });
    expect(ports.begun).toEqual([]);
  });

  it('can be signed with a manufacturer certificate that has a different key', async () => {
    const other = await makeDevice('serial 1', { issuer, keys: stranger.keys });
    expect(await ask({ signer: other })).toEqual({ status: 'pending' });
  });

  it.each([
    ['garbage', Buffer.from('garbage')],
    ['empty', Buffer.alloc(0)],
  ])('is rejected like content that cannot be decrypted if it is %s', async (_what, content) => {
    await expect(ask({ content })).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The encrypted content cannot be read; encrypt it for the certificate that GetCACert returns.',
    });
  });

  it("is rejected with the inventory's error message, and fails if the inventory fails", async () => {
    const problems = ['request: its key is too weak'];
    ports.state.readingFails = new AppError('invalid_fields', { problems });
    await expect(ask()).rejects.toMatchObject({ failInfo: 'badRequest', message: 'request: its key is too weak' });
    const fault = new TypeError('broken');
    ports.state.readingFails = fault;
    await expect(ask()).rejects.toBe(fault);
  });

  it('is rejected if the certificate is rejected or revoked', async () => {
    ports.state.outcome = { state: 'refused', problem: 'Not today.' };
    await expect(ask({ transactionId: 'a' })).rejects.toMatchObject({ failInfo: 'badRequest', message: 'Not today.' });
    ports.state.outcome = { state: 'refused' };
    await expect(ask({ transactionId: 'b' })).rejects.toMatchObject({ message: 'The request was rejected.' });
    ports.state.outcome = { state: 'revoked', certificate: ANSWER };
    await expect(ask({ transactionId: 'c' })).rejects.toMatchObject({
      failInfo: 'badCertId',
      message: 'The certificate of the transaction is revoked.',
    });
  });

  it.each([
    ['leaf', [ANSWER]],
    ['issuer', [ANSWER, Uint8Array.of(4)]],
    ['chain', [ANSWER, Uint8Array.of(4), Uint8Array.of(5)]],
  ] as const)('receives the part of the chain configured in the profile: %s', async (sends, certificates) => {
    ports.state.outcome = { state: 'issued', certificate: ANSWER };
    ports.state.issuers = [Uint8Array.of(4), Uint8Array.of(5)];
    expect(await ask({}, { sends })).toEqual({ status: 'success', certificates });
  });
});

describe('a repeated request', () => {
  it('receives the same response, without a challenge password and without starting a new transaction', async () => {
    const content = requestOf(device, 'password');
    const settings = { challengePassword: PASSWORD };
    ports.state.outcome = { state: 'issued', certificate: ANSWER };
    await ask({ content }, settings);
    const changed = { challengePassword: new Secret('changed') };
    expect(await ask({ content }, changed)).toEqual({ status: 'success', certificates: [ANSWER] });
    expect(ports.begun).toHaveLength(1);
  });

  it('is rejected if a different request has the same transaction identifier', async () => {
    await ask({ transactionId: 'T1' });
    const other = { signer: stranger, content: requestOf(stranger), transactionId: 'T1' };
    await expect(ask(other)).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The transaction identifier was already used for a different request; choose a new one.',
    });
    expect(await ask({ ...other, transactionId: 'T2' })).toEqual({ status: 'pending' });
  });

  it('continues a transaction that a node abandoned, without a challenge password', async () => {
    ports.known.set('T1', enrollmentOf({ isAbandoned: true }));
    expect(await ask({ transactionId: 'T1' }, { challengePassword: PASSWORD })).toEqual({ status: 'pending' });
    expect(ports.begun).toHaveLength(1);
  });
});

describe('a poll', () => {
  it('returns the state of the transaction', async () => {
    await ask();
    expect(await poll()).toEqual({ status: 'pending' });
    ports.known.set('transaction', enrollmentOf({ certificate: ANSWER, detail: { signerKey: keyOf(device) } }));
    expect(await poll()).toEqual({ status: 'success', certificates: [ANSWER] });
  });

  it.each([
    ['an unknown transaction', 'badCertId', 'Transaction not found.', { transactionId: 'unknown' }],
    [
      'content that is not a poll',
      'badRequest',
      expect.stringMatching(/^The encrypted content cannot be read/),
      { content: Buffer.from('x') },
    ],
  ])('is rejected for %s', async (_what, failInfo, message, wish) => {
    await ask();
    await expect(poll(wish)).rejects.toMatchObject({ failInfo, message });
  });

  it('is rejected if it is signed with a key other than that of the request, even with the same name', async () => {
    await ask();
    await expect(poll({ signer: stranger })).rejects.toMatchObject({
      failInfo: 'badMessageCheck',
      message: 'The transaction was started with a different key.',
    });
  });

  it('asks the client to send the request again if a node abandoned it', async () => {
    ports.known.set('transaction', enrollmentOf({ isAbandoned: true, detail: { signerKey: keyOf(device) } }));
    await expect(poll()).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: 'The server stopped before it requested the certificate; send the request again.',
    });
  });
});
