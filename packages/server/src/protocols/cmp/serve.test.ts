import { buildProtectedPart, assemblePkiMessage, type PkiBodyInput } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { checksAfter } from '../../areas/enrolments/testing/limited-checks.ts';
import { AppError } from '../../kernel/errors.ts';
import { profileWith, RA_PROFILE } from './testing/calls.ts';
import {
  certReqMsg,
  costlyMessage,
  headerOf,
  macMessage,
  plainMessage,
  SECRET,
  type HeaderWish,
  type MacWish,
} from './testing/messages.ts';
import { cmpServer } from './testing/server.ts';

const GENERAL: PkiBodyInput = { type: 'genm', infos: [] };
const octets = (length: number) => new Uint8Array(length).fill(5);
const enrolment = async (): Promise<PkiBodyInput> => ({ type: 'ir', requests: [await certReqMsg()] });

/** How a profile answers a message that nothing protects: the header is judged before its protection. */
const unprotected = 'badMessageCheck';

async function outcomeOf(wish: HeaderWish, profile = profileWith()) {
  const { failures, words } = await cmpServer({ profile }).ask(plainMessage(GENERAL, wish));
  return [failures.join(), words];
}

describe('a place', () => {
  const noAuthority = { ...RA_PROFILE, authorityUuid: undefined };
  it.each([
    ['without a profile', undefined, 'badRequest', 'CMP is not served under the name of the CMP profile factory.'],
    ['of a disabled profile', { enabled: false }, 'systemUnavail', 'The CMP profile factory is disabled.'],
    ['without an RA profile', { raProfile: undefined }, 'systemUnavail',
      'The CMP profile factory has no RA profile to issue with.'],
    ['of a disabled RA profile', { raProfile: { ...RA_PROFILE, enabled: false } }, 'systemUnavail',
      'The RA profile devices is disabled.'],
    ['whose authority was removed', { raProfile: noAuthority }, 'systemUnavail',
      'The RA profile devices has no authority any more.'],
  ] as const)('%s serves nobody, not even who knows the secret', async (_what, settings, failure, words) => {
    const server = cmpServer({ profile: settings && profileWith(settings) });
    const answer = await server.ask(await macMessage(await enrolment()));
    expect([answer.type, answer.failures, answer.words]).toEqual(['error', [failure], words]);
    expect(server.begun).toEqual([]);
  }); // prettier-ignore

  it('that cannot issue notes whom it sent away, by the message that it could read', async () => {
    const server = cmpServer({ profile: profileWith({ raProfile: undefined }) });
    await server.ask(await macMessage(await enrolment(), { transactionId: octets(16) }));
    const problem = 'The CMP profile factory has no RA profile to issue with.';
    expect(server.refused).toMatchObject([
      { protocol: 'cmp', kind: 'ir', transactionId: '05'.repeat(16), requester: 'not proven', problem },
    ]);
  });

  it('is named by its family, with a name of at most 100 characters', async () => {
    const { words } = await cmpServer({ profile: undefined }).ask(plainMessage(GENERAL), {
      family: 'raProfile',
      name: 'x'.repeat(500),
    });
    expect(words).toBe(`CMP is not served under the name of the RA profile ${'x'.repeat(100)}.`);
  });
});

describe('guesses at the secret', () => {
  const guess = (wish: MacWish = {}) => macMessage(GENERAL, { secret: 'a guess of somebody', ...wish });

  it('are refused in one way beyond the limit, and the right secret passes', async () => {
    const server = cmpServer({ profile: profileWith(), checkCredential: checksAfter(2) });
    const outcomes: string[] = [];
    for (let count = 0; count < 4; count += 1) outcomes.push((await server.ask(await guess())).failures.join());
    expect(outcomes).toEqual(['badMessageCheck', 'badMessageCheck', 'systemUnavail', 'systemUnavail']);
    expect((await server.ask(await guess())).words).toBe(
      'Too many failed secrets and passwords for this profile from your address; try again in 9 s.',
    );
    expect((await server.ask(await macMessage(GENERAL))).type).toBe('genp');
  });

  it('count where no secret is known for the name that the message states', async () => {
    const profile = profileWith({ requestProtectionMethod: 'signature' });
    const server = cmpServer({ profile, checkCredential: checksAfter(1) });
    const named = () => guess({ senderKid: Buffer.from('reference') });
    expect((await server.ask(await named())).failures).toEqual(['wrongIntegrity']);
    expect((await server.ask(await named())).failures).toEqual(['systemUnavail']);
  });

  it('are told from messages that ask for too many iterations', async () => {
    const server = cmpServer({ profile: profileWith(), checkCredential: checksAfter(0) });
    expect((await server.ask(costlyMessage(GENERAL, 100_001))).failures).toEqual(['badRequest']);
  });
});

describe('iterations of a MAC', () => {
  it.each(['passwordBasedMac', 'pbmac1'] as const)('of a %s are bounded by the profile', async (kind) => {
    const message = () => macMessage(GENERAL, { kind, iterations: 120_000 });
    const refused = await cmpServer({ profile: profileWith() }).ask(await message());
    expect([refused.failures, refused.words]).toEqual([
      ['badRequest'],
      'The MAC asks for 120000 iterations; 100 to 100000 are accepted.',
    ]);
    const raised = cmpServer({ profile: profileWith({ maxMacIterations: 120_000 }) });
    expect((await raised.ask(await message())).type).toBe('genp');
  });
});

describe('the header of a message', () => {
  const badVersion = (version: number) => `Version ${version} of CMP is not served; use 2.`;
  it.each([
    [1, 'v2', 'unsupportedVersion', badVersion(1)],
    [1, 'v3', 'unsupportedVersion', badVersion(1)],
    [2, 'v2', unprotected, /not protected/],
    [2, 'v2_3gpp', unprotected, /not protected/],
    [2, 'v3', unprotected, /not protected/],
    [3, 'v3', unprotected, /not protected/],
    [3, 'v2', 'unsupportedVersion', /for version 2 of CMP/],
    [3, 'v2_3gpp', 'unsupportedVersion', /for version 2 of CMP/],
  ] as const)('of version %i, for a profile of variant %s, ends in %s', async (pvno, variant, failure, words) => {
    const expected = typeof words === 'string' ? words : expect.stringMatching(words);
    expect(await outcomeOf({ pvno }, profileWith({ variant }))).toEqual([failure, expected]);
  });

  it.each([0, 4, 127])('of version %i, which the codec does not write, is refused too', async (version) => {
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
  ] as const)('with a %s of %o ends in %s', async (field, value, failure) => {
    expect((await outcomeOf({ [field]: value }))[0]).toBe(failure);
  });
});

describe('a message that is proven', () => {
  it('is carried out once, and answered in its transaction under the same secret', async () => {
    const server = cmpServer({ profile: profileWith() });
    const wish = { transactionId: octets(16), senderNonce: octets(20), senderKid: Buffer.from('device-7') };
    const answer = await server.ask(await macMessage(await enrolment(), wish));
    expect([answer.type, await answer.isProtectedBy(SECRET)]).toEqual(['ip', true]);
    const { transactionId, recipientNonce, senderNonce, senderKid } = answer.message.header;
    expect([transactionId, recipientNonce]).toEqual([octets(16), octets(20)]);
    expect([senderNonce?.length, Buffer.from(senderKid ?? []).toString()]).toEqual([16, 'device-7']);
    expect(server.begun).toMatchObject([{ kind: 'ir', transactionId: '05'.repeat(16), requester: 'shared secret' }]);
    expect(server.refused).toEqual([]);
  });

  it('is refused with a body that only servers send, whoever sends it', async () => {
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
      expect([failures, words]).toEqual([['badRequest'], `Messages of type ${body.type} are not served.`]);
    }
  });

  it('is told under protection that its body cannot be read, and noted under its sender', async () => {
    const server = cmpServer({ profile: profileWith() });
    // An ir that holds a number instead of requests: the codec writes it as another body, and only its tag is changed.
    const value = Uint8Array.of(2, 1, 1);
    const alter = (part: Uint8Array) => part.fill(0xa0, part.length - 5, part.length - 4);
    const answer = await server.ask(await macMessage({ type: 'popdecr', value }, { alter }));
    expect([answer.failures, await answer.isProtectedBy(SECRET)]).toEqual([['badDataFormat'], true]);
    expect(server.refused).toMatchObject([{ kind: 'ir', requester: 'shared secret', protocol: 'cmp' }]);
  });
});

describe('a message that is not proven', () => {
  it('gets an answer without protection, and is noted as nobody’s', async () => {
    const server = cmpServer({ profile: profileWith() });
    const answer = await server.ask(await macMessage(await enrolment(), { secret: 'another secret' }));
    expect(answer.failures).toEqual(['badMessageCheck']);
    expect([answer.message.protection, answer.message.header.protectionAlgorithm]).toEqual([undefined, undefined]);
    expect(server.refused).toMatchObject([{ kind: 'ir', requester: 'not proven' }]);
    expect(server.begun).toEqual([]);
  });

  it('is answered by an error of CMP wherever it is cut off, and begins nothing', async () => {
    const server = cmpServer({ profile: profileWith() });
    const message = await macMessage(await enrolment());
    for (let length = 0; length < message.length; length += 1) {
      const { type, failures } = await server.ask(message.subarray(0, length));
      expect({ length, type, failures: failures.length }).toEqual({ length, type: 'error', failures: 1 });
    }
    expect([server.begun, server.refused]).toEqual([[], []]);
  });
});

describe('a fault of the platform', () => {
  it('is told without its words', async () => {
    const enrol = () => Promise.reject(new TypeError('password of the database'));
    const answer = await cmpServer({ profile: profileWith(), enrol }).ask(await macMessage(await enrolment()));
    expect([answer.failures, answer.words]).toEqual([
      ['systemFailure'],
      'The server could not do this; its log says why.',
    ]);
  });

  it('in signing answers stops everything before it is done, and is told without protection', async () => {
    const reach = () => Promise.reject(new AppError('unavailable', { reason: 'The certificate is revoked' }));
    const profile = profileWith({ responseProtectionMethod: 'signature', signingCertificateUuid: 'c' });
    const server = cmpServer({ profile, reach });
    const answer = await server.ask(await macMessage(await enrolment()));
    expect([answer.failures, answer.words]).toEqual([
      ['systemUnavail'],
      'The platform cannot do this now: The certificate is revoked.',
    ]);
    expect(server.begun).toEqual([]);
    expect(await answer.isProtectedBy(SECRET)).toBe(true);
  });
});
