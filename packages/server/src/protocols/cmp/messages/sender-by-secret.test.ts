import { assemblePkiMessage, buildCertTemplate, buildProtectedPart } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../kernel/secret.ts';
import { identityOfSender, nameOfSender } from '../call.ts';
import { judged, refusal, SIGNED } from '../testing/judge.ts';
import { costlyMessage, ERROR_BODY, headerOf, macMessage, plainMessage, SECRET } from '../testing/messages.ts';

describe('a message under a secret', () => {
  it.each(['passwordBasedMac', 'pbmac1'] as const)('is proven by a %s of the shared secret', async (kind) => {
    const { sender } = await judged(await macMessage(ERROR_BODY, { kind }));
    expect(sender).toMatchObject({ kind: 'mac', reference: undefined, oneTime: undefined });
    expect([identityOfSender(sender), nameOfSender(sender)]).toEqual(['shared secret', 'shared secret']);
  });

  it.each([
    ['without protection', () => plainMessage(ERROR_BODY), {}, 'badMessageCheck', /not protected/],
    ['under another secret', () => macMessage(ERROR_BODY, { secret: `${SECRET} ` }), {}, 'badMessageCheck',
      /MAC .* wrong/],
    ['under an empty secret', () => macMessage(ERROR_BODY, { secret: '' }), {}, 'badMessageCheck', /MAC .* wrong/],
    ['where requests are signed', () => macMessage(ERROR_BODY), SIGNED, 'wrongIntegrity', /takes signed requests/],
    ['of a base station', () => macMessage(ERROR_BODY), { ...SIGNED, variant: 'v2_3gpp' }, 'wrongIntegrity',
      /no secret is taken/],
    ['where no secret is set', () => macMessage(ERROR_BODY), { sharedSecret: undefined }, 'wrongIntegrity',
      /takes signed requests/],
    ['that holds others', () => macMessage({ type: 'nested', messages: [plainMessage(ERROR_BODY)] }), {},
      'wrongIntegrity', /signed by the registration authority/],
  ] as const)('%s is refused', async (_what, made, profile, failure, words) => {
    await expect(judged(await made(), { profile })).rejects.toMatchObject(refusal(failure, words));
  }); // prettier-ignore

  it.each([100, 100_000])('may ask for %i iterations', async (iterations) => {
    expect((await judged(await macMessage(ERROR_BODY, { iterations }))).sender.kind).toBe('mac');
  });

  it.each([100_001, 10_000_000])('that asks for %i iterations is refused before they are made', async (iterations) => {
    await expect(judged(costlyMessage(ERROR_BODY, iterations))).rejects.toMatchObject({
      code: 'bound-exceeded',
      message: `The MAC asks for ${iterations} iterations; 100 to 100000 are accepted.`,
    });
  });

  it('is refused with a protection and no algorithm of it', async () => {
    const part = buildProtectedPart(headerOf(), ERROR_BODY);
    const half = assemblePkiMessage(part, { protection: new Uint8Array(32) });
    await expect(judged(half)).rejects.toMatchObject({
      code: 'bad-value',
      message: expect.stringMatching(/only one of a protection/),
    });
  });

  it('is not proven by the MAC of another header', async () => {
    const message = Buffer.from(await macMessage(ERROR_BODY, { transactionId: Buffer.from('transaction of a') }));
    message.write('transaction of b', message.indexOf('transaction of a'), 'latin1');
    await expect(judged(message)).rejects.toMatchObject(refusal('badMessageCheck', /message was changed/));
  });
});

describe('a one-time secret', () => {
  const oneTime = { uuid: 'secret-1', reference: 'device-7', secret: new Secret('once only'), names: undefined };
  const under = (body = ERROR_BODY, secret = 'once only', reference = 'device-7') =>
    macMessage(body, { secret, senderKid: Buffer.from(reference) });

  it('is found by senderKID, and is somebody of its own', async () => {
    const { sender, references } = await judged(await under(), { oneTime });
    expect([identityOfSender(sender), nameOfSender(sender)]).toEqual(['secret-1', 'one-time secret']);
    expect(references).toMatchObject([{ protocol: 'cmp', raProfileUuid: 'ra-1', reference: 'device-7' }]);
  });

  it('is taken where requests are signed, too', async () => {
    const { sender } = await judged(await under(), { oneTime, profile: SIGNED });
    expect(identityOfSender(sender)).toBe('secret-1');
  });

  it.each([
    ['certConf', { type: 'certConf', confirmations: [] }, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['pollReq', { type: 'pollReq', certReqIds: [0] }, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['error', ERROR_BODY, { profileUuid: 'cmp-1', transactionId: 'aa' }],
    ['genm', { type: 'genm', infos: [] }, undefined],
    ['rr', { type: 'rr', details: [{ template: { der: buildCertTemplate({}) } }] }, undefined],
  ] as const)('that was used up is good for a %s of its own transaction only', async (_type, body, transaction) => {
    const { references } = await judged(await under(body), { oneTime });
    expect(references).toMatchObject([{ transaction }]);
  });

  it('takes the place of the shared secret, which is wrong under its name', async () => {
    await expect(judged(await under(ERROR_BODY, SECRET), { oneTime })).rejects.toMatchObject(
      refusal('badMessageCheck', /MAC/),
    );
  });

  it('that is not known leaves the shared secret, whatever senderKID says', async () => {
    const { sender, references } = await judged(await under(ERROR_BODY, SECRET, 'nobody'), { oneTime });
    expect([references.length, identityOfSender(sender)]).toEqual([1, 'shared secret']);
  });

  it('is not looked for where the profile takes none, nor without senderKID', async () => {
    const profile = { oneTimeSecrets: false };
    expect((await judged(await under(ERROR_BODY, SECRET), { oneTime, profile })).references).toEqual([]);
    expect((await judged(await macMessage(ERROR_BODY), { oneTime })).references).toEqual([]);
  });
});
