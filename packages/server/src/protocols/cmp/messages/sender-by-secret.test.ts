import { assemblePkiMessage, buildCertTemplate, buildProtectedPart } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import { identityOfSender, nameOfSender } from '../call.ts';
import { evaluateSender, rejection, SIGNED } from '../testing/evaluate.ts';
import { costlyMessage, ERROR_BODY, headerOf, macMessage, plainMessage, SECRET } from '../testing/messages.ts';

describe('a message protected with a secret', () => {
  it.each(['passwordBasedMac', 'pbmac1'] as const)('is authenticated by a %s of the shared secret', async (kind) => {
    const { sender } = await evaluateSender(await macMessage(ERROR_BODY, { kind }));
    expect(sender).toMatchObject({ kind: 'mac', reference: undefined, oneTime: undefined });
    expect([identityOfSender(sender), nameOfSender(sender)]).toEqual(['shared secret', 'shared secret']);
  });

  it.each([
    ['without protection', () => plainMessage(ERROR_BODY), {}, 'badMessageCheck', /not protected/],
    ['under a different secret', () => macMessage(ERROR_BODY, { secret: `${SECRET} ` }), {}, 'badMessageCheck',
      /^The MAC of the message is incorrect/],
    ['under an empty secret', () => macMessage(ERROR_BODY, { secret: '' }), {}, 'badMessageCheck', /^The MAC of the message is incorrect/],
    ['for a profile that requires signed requests', () => macMessage(ERROR_BODY), SIGNED, 'wrongIntegrity', /The profile accepts signed requests, or requests with a usable one-time secret/],
    ['from a base station', () => macMessage(ERROR_BODY), { ...SIGNED, variant: 'v2_3gpp' }, 'wrongIntegrity',
      /Base stations must sign their messages \(3GPP TS 33\.310 §9\);/],
    ['for a profile without a secret', () => macMessage(ERROR_BODY), { sharedSecret: undefined }, 'wrongIntegrity',
      /The profile accepts signed requests, or requests with a usable one-time secret/],
    ['with nested messages', () => macMessage({ type: 'nested', messages: [plainMessage(ERROR_BODY)] }), {},
      'wrongIntegrity', /must be signed by the registration authority/],
  ] as const)('%s is rejected', async (_what, made, profile, failure, words) => {
    await expect(evaluateSender(await made(), { profile })).rejects.toMatchObject(rejection(failure, words));
  }); // prettier-ignore

  it.each([100, 100_000])('can specify %i iterations', async (iterations) => {
    expect((await evaluateSender(await macMessage(ERROR_BODY, { iterations }))).sender.kind).toBe('mac');
  });

  it.each([100_001, 10_000_000])('with %i iterations is rejected before they are computed', async (iterations) => {
    await expect(evaluateSender(costlyMessage(ERROR_BODY, iterations))).rejects.toMatchObject({
      code: 'bound-exceeded',
      message: `The MAC specifies ${iterations} iterations; 100 to 100000 are accepted.`,
    });
  });

  it('is rejected if it has a protection without an algorithm', async () => {
    const part = buildProtectedPart(headerOf(), ERROR_BODY);
    const half = assemblePkiMessage(part, { protection: new Uint8Array(32) });
    await expect(evaluateSender(half)).rejects.toMatchObject(
      rejection('badMessageCheck', /^A message must contain both protection and protectionAlg\.$/),
    );
  });

  it('is not authenticated by the MAC of a different header', async () => {
    const message = Buffer.from(await macMessage(ERROR_BODY, { transactionId: Buffer.from('transaction of a') }));
    message.write('transaction of b', message.indexOf('transaction of a'), 'latin1');
    await expect(evaluateSender(message)).rejects.toMatchObject(
      rejection('badMessageCheck', /the secret is different, or the message was modified\./),
    );
  });
});

describe('a profile that enforces RFC 9483', () => {
  const profile = { strictMessages: true };
  const senderKid = Buffer.from('device-7');

  it('accepts a directory name with the reference of the secret', async () => {
    expect((await evaluateSender(await macMessage(ERROR_BODY, { senderKid }), { profile })).sender.kind).toBe('mac');
  });

  it.each([
    ['without senderKID', {}, /^The senderKID must contain the reference value of the secret; .* profile factory\.$/],
    ['with an empty senderKID', { senderKid: new Uint8Array() }, /^The senderKID must contain/],
    ['whose sender is not a directory name', { senderKid, sender: { kind: 'rfc822Name', value: 'a@b.example' } },
      /^The sender must be a directory name;/],
  ] as const)('rejects a MAC-protected message %s, which other profiles accept', async (_what, header, words) => {
    const message = await macMessage(ERROR_BODY, header);
    await expect(evaluateSender(message, { profile })).rejects.toMatchObject(rejection('badMessageCheck', words));
    expect((await evaluateSender(message)).sender.kind).toBe('mac');
  }); // prettier-ignore
});

describe('a profile that accepts both protections', () => {
  it('accepts the shared secret although requests are signed otherwise', async () => {
    const profile = { ...SIGNED, acceptBothProtections: true };
    expect(identityOfSender((await evaluateSender(await macMessage(ERROR_BODY), { profile })).sender)).toBe(
      'shared secret',
    );
  });
});

describe('a one-time secret', () => {
  const oneTime = { uuid: 'secret-1', reference: 'device-7', secret: new Secret('once only'), names: undefined };
  const messageUnderSecret = (body = ERROR_BODY, secret = 'once only', reference = 'device-7') =>
    macMessage(body, { secret, senderKid: Buffer.from(reference) });

  it('is found by its senderKID, and has a separate sender identity', async () => {
    const { sender, references } = await evaluateSender(await messageUnderSecret(), { oneTime });
    expect([identityOfSender(sender), nameOfSender(sender)]).toEqual(['secret-1', 'one-time secret']);
    expect(references).toMatchObject([{ protocol: 'cmp', raProfileUuid: 'ra-1', reference: 'device-7' }]);
  });

  it('is accepted even if requests must be signed', async () => {
    const { sender } = await evaluateSender(await messageUnderSecret(), { oneTime, profile: SIGNED });
    expect(identityOfSender(sender)).toBe('secret-1');
  });

  it.each([
    ['certConf', { type: 'certConf', confirmations: [] }, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['pollReq', { type: 'pollReq', certReqIds: [0] }, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['error', ERROR_BODY, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['genm', { type: 'genm', infos: [] }, undefined],
    ['rr', { type: 'rr', details: [{ template: { der: buildCertTemplate({}) } }] }, undefined],
  ] as const)(
    'that was already used is looked up only in follow-up messages of its transaction: %s',
    async (_type, body, transaction) => {
      const { references } = await evaluateSender(await messageUnderSecret(body), { oneTime });
      expect(references).toMatchObject([{ transaction }]);
    },
  );

  it('replaces the shared secret, which is then rejected with the reference of the one-time secret', async () => {
    await expect(evaluateSender(await messageUnderSecret(ERROR_BODY, SECRET), { oneTime })).rejects.toMatchObject(
      rejection('badMessageCheck', /^The MAC of the message is incorrect/),
    );
  });

  it('that is unknown has no effect: the shared secret is accepted with any senderKID', async () => {
    const { sender, references } = await evaluateSender(await messageUnderSecret(ERROR_BODY, SECRET, 'nobody'), {
      oneTime,
    });
    expect([references.length, identityOfSender(sender)]).toEqual([1, 'shared secret']);
  });

  it('is not looked up if the profile does not accept one-time secrets, or if there is no senderKID', async () => {
    const profile = { oneTimeSecrets: false };
    expect(
      (await evaluateSender(await messageUnderSecret(ERROR_BODY, SECRET), { oneTime, profile })).references,
    ).toEqual([]);
    expect((await evaluateSender(await macMessage(ERROR_BODY), { oneTime })).references).toEqual([]);
  });
});
