import { buildProtectedPart, assemblePkiMessage, readDerOrPem, type PkiBodyInput } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makeRequest } from '../../areas/certificates/testing/test-certificates.ts';
import { checksAfter } from '../../areas/enrollments/testing/limited-checks.ts';
import { AppError } from '../../kernel/errors.ts';
import { enrollmentWith, profileWith, RA_PROFILE } from './testing/calls.ts';
import {
  certReqMsg,
  costlyMessage,
  headerOf,
  macMessage,
  plainMessage,
  SECRET,
  type HeaderSpec,
  type MacSpec,
} from './testing/messages.ts';
import { cmpServer } from './testing/server.ts';

const GENERAL: PkiBodyInput = { type: 'genm', infos: [] };
const octets = (length: number) => new Uint8Array(length).fill(5);
const enrollmentBody = async (): Promise<PkiBodyInput> => ({ type: 'ir', requests: [await certReqMsg()] });

/** Failure of a message without protection: the header is checked before its protection. */
const unprotected = 'badMessageCheck';

async function outcomeOf(wish: HeaderSpec, profile = profileWith()) {
  const { failures, words } = await cmpServer({ profile }).ask(plainMessage(GENERAL, wish));
  return [failures.join(), words];
}

describe('a CMP URL', () => {
  const noAuthority = { ...RA_PROFILE, authorityUuid: undefined };
  it.each([
    ['without a CMP profile', undefined, 'badRequest', 'CMP is not served for the CMP profile factory.'],
    ['of a disabled CMP profile', { enabled: false }, 'systemUnavail', 'The CMP profile factory is disabled.'],
    ['without an RA profile', { raProfile: undefined }, 'systemUnavail',
      'The CMP profile factory has no RA profile.'],
    ['of a disabled RA profile', { raProfile: { ...RA_PROFILE, enabled: false } }, 'systemUnavail',
      'The RA profile devices is disabled.'],
    ['whose authority was removed', { raProfile: noAuthority }, 'systemUnavail',
      'The RA profile devices no longer has an authority.'],
  ] as const)('%s rejects requests, even with the correct secret', async (_what, settings, failure, words) => {
    const server = cmpServer({ profile: settings && profileWith(settings) });
    const answer = await server.ask(await macMessage(await enrollmentBody()));
    expect([answer.type, answer.failures, answer.words]).toEqual(['error', [failure], words]);
    expect(server.begun).toEqual([]);
  }); // prettier-ignore

  it('that cannot issue certificates records rejected requests that could be parsed', async () => {
    const server = cmpServer({ profile: profileWith({ raProfile: undefined }) });
    await server.ask(await macMessage(await enrollmentBody(), { transactionId: octets(16) }));
    const problem = 'The CMP profile factory has no RA profile.';
    expect(server.refused).toMatchObject([
      { protocol: 'cmp', kind: 'ir', transactionId: '05'.repeat(16), requester: 'not authenticated', problem },
    ]);
  });

  it('records messages that could not be read, with the field and the reason', async () => {
    const server = cmpServer({ profile: profileWith() });
    const message = await macMessage(await enrollmentBody());
    const end = message.length - 10;
    await server.ask(message.subarray(0, end));
    // The version in the header is not an INTEGER.
    const wrong = Buffer.from(message);
    wrong[wrong.indexOf(Buffer.from([0x02, 0x01, 0x02]))] = 0x0c;
    await server.ask(wrong);
    const unread = { protocol: 'cmp', kind: '', transactionId: '', requester: 'not authenticated' };
    expect(server.refused).toMatchObject([
      { ...unread, problem: expect.stringMatching(/^The length exceeds the enclosing element/) },
      { ...unread, problem: expect.stringMatching(/^header\.pvno: The element has an unexpected type/) },
    ]);
  });

  it('is identified by its family and at most 100 characters of its name', async () => {
    const { words } = await cmpServer({ profile: undefined }).ask(plainMessage(GENERAL), {
      family: 'raProfile',
      name: 'x'.repeat(500),
    });
    expect(words).toBe(`CMP is not served for the RA profile ${'x'.repeat(100)}.`);
  });
});

describe('incorrect guesses of the secret', () => {
  const guess = (wish: MacSpec = {}) => macMessage(GENERAL, { secret: 'a guessed secret', ...wish });

  it('are rejected identically beyond the limit, while the correct secret is still accepted', async () => {
    const server = cmpServer({ profile: profileWith(), checkCredential: checksAfter(2) });
    const outcomes: string[] = [];
    for (let count = 0; count < 4; count += 1) outcomes.push((await server.ask(await guess())).failures.join());
    expect(outcomes).toEqual(['badMessageCheck', 'badMessageCheck', 'systemUnavail', 'systemUnavail']);
    expect((await server.ask(await guess())).words).toBe(
      'Too many invalid secrets and passwords for this profile from your IP address; try again in 9 s.',
    );
    expect((await server.ask(await macMessage(GENERAL))).type).toBe('genp');
  });

  it('are counted if no secret is known for the reference in the message', async () => {
    const profile = profileWith({ requestProtectionMethod: 'signature' });
    const server = cmpServer({ profile, checkCredential: checksAfter(1) });
    const namedGuess = () => guess({ senderKid: Buffer.from('reference') });
    expect((await server.ask(await namedGuess())).failures).toEqual(['wrongIntegrity']);
    expect((await server.ask(await namedGuess())).failures).toEqual(['systemUnavail']);
  });

  it('do not include messages with too many iterations', async () => {
    const server = cmpServer({ profile: profileWith(), checkCredential: checksAfter(0) });
    expect((await server.ask(costlyMessage(GENERAL, 100_001))).failures).toEqual(['badRequest']);
  });
});

describe('MAC iterations', () => {
  it.each(['passwordBasedMac', 'pbmac1'] as const)('of a %s are limited by the profile', async (kind) => {
    const message = () => macMessage(GENERAL, { kind, iterations: 120_000 });
    const refused = await cmpServer({ profile: profileWith() }).ask(await message());
    expect([refused.failures, refused.words]).toEqual([
      ['badRequest'],
      'The MAC specifies 120000 iterations; 100 to 100000 are accepted.',
    ]);
    const raised = cmpServer({ profile: profileWith({ maxMacIterations: 120_000 }) });
    expect((await raised.ask(await message())).type).toBe('genp');
  });
});

describe("the recorded ir of Siemens' CMP component", () => {
  const URL_OF_IR = new URL('testing/recorded/ir-siemens-pbmac1.der', import.meta.url);

  it('is rejected with its total iterations, unless the profile accepts as many', async () => {
    const der = await readFile(URL_OF_IR);
    const refused = await cmpServer({ profile: profileWith() }).ask(der);
    expect([refused.failures, refused.words]).toEqual([
      ['badRequest'],
      'The MAC specifies 10000 iterations for each of 128 key blocks (1280000 in total); 100 to 100000 are accepted.',
    ]);
    const raised = await cmpServer({ profile: profileWith({ maxMacIterations: 1_280_000 }) }).ask(der);
    // It was recorded with a different secret.
    expect(raised.failures).toEqual(['badMessageCheck']);
  });
});

describe('a message header', () => {
  const badVersion = (version: number) => `CMP version ${version} is not supported; use version 2.`;
  it.each([
    [1, 'v2', 'unsupportedVersion', badVersion(1)],
    [1, 'v3', 'unsupportedVersion', badVersion(1)],
    [2, 'v2', unprotected, /not protected/],
    [2, 'v2_3gpp', unprotected, /not protected/],
    [2, 'v3', unprotected, /not protected/],
    [3, 'v3', unprotected, /not protected/],
    [3, 'v2', 'unsupportedVersion', /The profile supports only CMP version 2;/],
    [3, 'v2_3gpp', 'unsupportedVersion', /The profile supports only CMP version 2;/],
  ] as const)(
    'with version %i, for a profile of the variant %s, results in %s',
    async (pvno, variant, failure, words) => {
      const expected = typeof words === 'string' ? words : expect.stringMatching(words);
      expect(await outcomeOf({ pvno }, profileWith({ variant }))).toEqual([failure, expected]);
    },
  );

  it.each([0, 4, 127])('with version %i, which the codec does not write, is also rejected', async (version) => {
    const part = buildProtectedPart(headerOf(), GENERAL);
    part[part.indexOf(2, 4) + 2] = version;
    const { failures, words } = await cmpServer({ profile: profileWith() }).ask(assemblePkiMessage(part));
    expect([failures, words]).toEqual([['unsupportedVersion'], badVersion(version)]);
  });

  it.each([
    ['transactionId', undefined, 'badDataFormat'],
    ['transactionId', octets(0), 'badDataFormat'],
    ['transactionId', octets(15), 'badDataFormat'],
    ['transactionId', octets(16), unprotected],
    ['transactionId', octets(64), unprotected],
    ['transactionId', octets(65), 'badDataFormat'],
    ['senderNonce', undefined, 'badSenderNonce'],
    ['senderNonce', octets(15), 'badSenderNonce'],
    ['senderNonce', octets(16), unprotected],
    ['senderNonce', octets(1_024), unprotected],
    ['senderNonce', octets(1_025), 'badDataFormat'],
    ['recipientNonce', octets(1), unprotected],
  ] as const)('with a %s of %o results in %s', async (field, value, failure) => {
    expect((await outcomeOf({ [field]: value }))[0]).toBe(failure);
  });
});

describe('an authenticated message', () => {
  it('is processed only once, and answered in its transaction under the same secret', async () => {
    const server = cmpServer({ profile: profileWith() });
    const wish = { transactionId: octets(16), senderNonce: octets(20), senderKid: Buffer.from('device-7') };
    const answer = await server.ask(await macMessage(await enrollmentBody(), wish));
    expect([answer.type, await answer.isProtectedBy(SECRET)]).toEqual(['ip', true]);
    const { transactionId, recipientNonce, senderNonce, senderKid } = answer.message.header;
    expect([transactionId, recipientNonce]).toEqual([octets(16), octets(20)]);
    expect([senderNonce?.length, Buffer.from(senderKid ?? []).toString()]).toEqual([16, 'device-7']);
    expect(server.begun).toMatchObject([{ kind: 'ir', transactionId: '05'.repeat(16), requester: 'shared secret' }]);
    expect(server.refused).toEqual([]);
  });

  it('is rejected if only servers may send its body', async () => {
    const bodies: readonly PkiBodyInput[] = [
      { type: 'pkiconf' },
      { type: 'ip', responses: [] },
      { type: 'genp', infos: [] },
      { type: 'krr', requests: [await certReqMsg()] },
      { type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 1 }] },
      { type: 'popdecc', value: Uint8Array.of(0x30, 0) },
    ];
    const server = cmpServer({ profile: profileWith() });
    for (const body of bodies) {
      const { failures, words } = await server.ask(await macMessage(body));
      expect([failures, words]).toEqual([['badRequest'], `Messages of type ${body.type} are not supported.`]);
    }
  });

  it('with a body that cannot be parsed receives a protected response, and is recorded with its sender', async () => {
    const server = cmpServer({ profile: profileWith() });
    // An ir that contains a number instead of requests: written as a different body, whose tag is then changed.
    const value = Uint8Array.of(2, 1, 1);
    const alter = (part: Uint8Array) => part.fill(0xa0, part.length - 5, part.length - 4);
    const answer = await server.ask(await macMessage({ type: 'popdecr', value }, { alter }));
    expect([answer.failures, await answer.isProtectedBy(SECRET)]).toEqual([['badDataFormat'], true]);
    expect(server.refused).toMatchObject([{ kind: 'ir', requester: 'shared secret', protocol: 'cmp' }]);
  });
});

describe('a rejected certificate request', () => {
  const wrongProof = async (): Promise<Uint8Array> => {
    const request = Buffer.from(await certReqMsg());
    request[request.length - 1] = (request.at(-1) ?? 0) ^ 1;
    return request;
  };

  it.each([
    ['ir', 'ip'],
    ['cr', 'cp'],
    ['kur', 'kup'],
  ] as const)('(%s) receives its status in an %s, and is recorded', async (type, answer) => {
    const server = cmpServer({ profile: profileWith() });
    const response = await server.ask(await macMessage({ type, requests: [await wrongProof()] }));
    expect([response.type, response.failures, await response.isProtectedBy(SECRET)]).toEqual([
      answer,
      ['badPOP'],
      true,
    ]);
    expect(server.refused).toMatchObject([{ kind: type, problem: response.words, requester: 'shared secret' }]);
    expect(server.begun).toEqual([]);
  });

  it('(p10cr) with a wrong signature receives badPOP with certReqId -1', async () => {
    const csr = Buffer.from(
      readDerOrPem(await makeRequest('a', await generateKeyPair('P-256')), ['CERTIFICATE REQUEST']),
    );
    csr[csr.length - 1] = (csr.at(-1) ?? 0) ^ 1;
    const server = cmpServer({ profile: profileWith() });
    const { body, failures } = await server.ask(await macMessage({ type: 'p10cr', request: csr }));
    expect([body, failures]).toMatchObject([{ type: 'cp', responses: [{ certReqId: -1 }] }, ['badPOP']]);
  });

  it('receives badCertTemplate for a weak key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const request = await certReqMsg({ keys: { spki, privateKey } });
    const { type, failures } = await cmpServer({ profile: profileWith() }).ask(
      await macMessage({ type: 'ir', requests: [request] }),
    );
    expect([type, failures]).toEqual(['ip', ['badCertTemplate']]);
  });

  it('receives badRequest for two requests, or for a certReqId other than 0 if RFC 9483 is enforced', async () => {
    const strict = cmpServer({ profile: profileWith({ strictMessages: true }) });
    const senderKid = Buffer.from('device-7');
    const two = await macMessage({ type: 'ir', requests: [await certReqMsg(), await certReqMsg()] }, { senderKid });
    const numbered = await macMessage({ type: 'ir', requests: [await certReqMsg({ certReqId: 5 })] }, { senderKid });
    for (const message of [two, numbered]) {
      const { type, failures } = await strict.ask(message);
      expect([type, failures]).toEqual(['ip', ['badRequest']]);
    }
    expect((await cmpServer({ profile: profileWith() }).ask(numbered)).body).toMatchObject({
      responses: [{ certReqId: 5, status: { status: 'waiting' } }],
    });
  });

  it('receives an error if its transactionID is in use', async () => {
    const enroll = async () => ({ isNew: false, enrollment: enrollmentWith() });
    const { type, failures } = await cmpServer({ profile: profileWith(), enroll }).ask(
      await macMessage(await enrollmentBody()),
    );
    expect([type, failures]).toEqual(['error', ['transactionIdInUse']]);
  });
});

describe('a message with an incorrect header', () => {
  it('receives an error protected like every other response', async () => {
    const server = cmpServer({ profile: profileWith() });
    const response = await server.ask(await macMessage(GENERAL, { senderNonce: octets(4) }));
    expect([response.type, response.failures, await response.isProtectedBy(SECRET)]).toEqual([
      'error',
      ['badSenderNonce'],
      true,
    ]);
  });

  it('receives badTime if RFC 9483 is enforced', async () => {
    const message = await macMessage(GENERAL, { senderKid: octets(4), messageTimeMs: 0 });
    const strict = cmpServer({ profile: profileWith({ strictMessages: true }) });
    expect((await strict.ask(message)).failures).toEqual(['badTime']);
    expect((await cmpServer({ profile: profileWith() }).ask(message)).type).toBe('genp');
  });
});

describe('an unauthenticated message', () => {
  it('receives an unprotected response, and is recorded without a sender', async () => {
    const server = cmpServer({ profile: profileWith() });
    const answer = await server.ask(await macMessage(await enrollmentBody(), { secret: 'another secret' }));
    expect(answer.failures).toEqual(['badMessageCheck']);
    expect([answer.message.protection, answer.message.header.protectionAlgorithm]).toEqual([undefined, undefined]);
    expect(server.refused).toMatchObject([{ kind: 'ir', requester: 'not authenticated' }]);
    expect(server.begun).toEqual([]);
  });

  it('receives a CMP error regardless of where it is truncated, and starts no transaction', async () => {
    const server = cmpServer({ profile: profileWith() });
    const message = await macMessage(await enrollmentBody());
    for (let length = 0; length < message.length; length += 1) {
      const { type, failures } = await server.ask(message.subarray(0, length));
      expect({ length, type, failures: failures.length }).toEqual({ length, type: 'error', failures: 1 });
    }
    expect(server.begun).toEqual([]);
    expect(new Set(server.refused.map(({ kind }) => kind))).toEqual(new Set(['']));
  });
});

describe('an internal error', () => {
  it('is reported without its error message', async () => {
    const enroll = () => Promise.reject(new TypeError('password of the database'));
    const answer = await cmpServer({ profile: profileWith(), enroll: enroll }).ask(
      await macMessage(await enrollmentBody()),
    );
    expect([answer.failures, answer.words]).toEqual([['systemFailure'], 'Internal server error; see the server log.']);
  });

  it('with the signing certificate stops the request before it is processed, and is reported under the MAC', async () => {
    const reach = () => Promise.reject(new AppError('unavailable', { reason: 'the certificate is revoked' }));
    const profile = profileWith({ responseProtectionMethod: 'signature', signingCertificateUuid: 'c' });
    const server = cmpServer({ profile, reach });
    const answer = await server.ask(await macMessage(await enrollmentBody()));
    expect([answer.failures, answer.words]).toEqual([
      ['systemUnavail'],
      'The platform cannot do this now: the certificate is revoked.',
    ]);
    expect(server.begun).toEqual([]);
    expect(await answer.isProtectedBy(SECRET)).toBe(true);
  });
});
