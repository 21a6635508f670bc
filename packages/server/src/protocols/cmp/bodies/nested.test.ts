import type { PkiBodyInput } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { callWith, profileWith } from '../testing/calls.ts';
import { ERROR_BODY, plainMessage, type HeaderSpec } from '../testing/messages.ts';
import { forwardMessages } from './nested.ts';

const octets = (value: number, length = 16) => new Uint8Array(length).fill(value);
const OUTER = { transactionId: octets(1), senderNonce: octets(2) };
const signing = profileWith({ responseProtectionMethod: 'signature', signingCertificateUuid: 'c' });

const device = (wish: HeaderSpec = {}) => plainMessage(ERROR_BODY, wish);
const devices = (count: number) => Array.from({ length: count }, () => device());
const nestedMessage = (messages: readonly Uint8Array[], wish: HeaderSpec = {}) =>
  plainMessage({ type: 'nested', messages }, wish);

/** Returns the outcome of messages that a registration authority forwards, and which of them were served. */
async function forwardWith(
  messages: readonly Uint8Array[],
  { header = {}, level = 0, profile = signing }: { header?: HeaderSpec; level?: number; profile?: typeof signing } = {},
) {
  const body: PkiBodyInput = { type: 'nested', messages };
  const call = await callWith(body, { header: { ...OUTER, ...header }, level, profile });
  const served: Uint8Array[] = [];
  const outcome = forwardMessages(call, messages, async (der) => {
    served.push(der);
    return Uint8Array.of(0x30, served.length);
  });
  return { outcome, served };
}

async function rejectionOf(...given: Parameters<typeof forwardWith>) {
  const { outcome, served } = await forwardWith(...given);
  const error: unknown = await outcome.then(
    () => expect.unreachable('it was forwarded'),
    (cause: unknown) => cause,
  );
  expect(served).toEqual([]);
  return error;
}

const rejection = (failure: string, words: RegExp | string) => ({
  failure,
  message: words instanceof RegExp ? expect.stringMatching(words) : words,
});

describe('a single nested message', () => {
  it.each([
    ['of the same transaction', OUTER, {}],
    ['with the same recipNonce', { ...OUTER, recipientNonce: octets(3) }, { recipientNonce: octets(3) }],
    ['without recipNonce', { ...OUTER, recipientNonce: octets(3) }, {}],
  ])(
    '%s is answered with its own response, even if the profile does not sign responses',
    async (_what, inner, header) => {
      const message = device(inner);
      const { outcome, served } = await forwardWith([message], { header, profile: profileWith() });
      expect(await outcome).toEqual(Uint8Array.of(0x30, 1));
      expect(served).toEqual([message]);
    },
  );

  it.each([
    ['of a different transaction', { transactionId: octets(9) }, {}, 'badRequest', 'transactionID'],
    ['without a transaction', { transactionId: undefined }, {}, 'badRequest', 'transactionID'],
    ['with a different nonce', { senderNonce: octets(9) }, {}, 'badSenderNonce', 'senderNonce'],
    ['with a longer nonce', { senderNonce: octets(2, 17) }, {}, 'badSenderNonce', 'senderNonce'],
    ['without a nonce', { senderNonce: undefined }, {}, 'badSenderNonce', 'senderNonce'],
    ['with a different recipNonce', { recipientNonce: octets(9) }, { recipientNonce: octets(3) }, 'badRecipientNonce',
      'recipNonce'],
    ['without the recipNonce', {}, { recipientNonce: octets(3) }, 'badRecipientNonce', 'recipNonce'],
  ])('%s is rejected', async (_what, inner, header, failure, field) => {
    const message = device({ ...OUTER, ...inner });
    expect(await rejectionOf([message], { header })).toMatchObject(
      rejection(failure, `The ${field} does not match that of the inner message.`),
    );
  }); // prettier-ignore

  it('that cannot be parsed is rejected', async () => {
    expect(await rejectionOf([Uint8Array.of(0x30, 0)])).toMatchObject({ code: 'missing-element' });
  });
});

describe('nested messages', () => {
  it('can be nested at most two levels deep, which is checked only for the outermost message', async () => {
    const one = device(OUTER);
    const twice = nestedMessage([nestedMessage([one], OUTER)], OUTER);
    expect(await (await forwardWith([nestedMessage([one], OUTER)])).outcome).toEqual(Uint8Array.of(0x30, 1));
    const tooDeep = rejection('badRequest', 'Messages can be nested at most 2 levels deep.');
    expect(await rejectionOf([twice])).toMatchObject(tooDeep);
    expect(await rejectionOf([...devices(3), twice])).toMatchObject(tooDeep);
    expect(await (await forwardWith([twice], { level: 1 })).outcome).toEqual(Uint8Array.of(0x30, 1));
  });

  it('contain at most 100 messages in total', async () => {
    const batches = (...sizes: readonly number[]) => sizes.map((size) => nestedMessage(devices(size)));
    const { served, outcome } = await forwardWith(batches(60, 40));
    await outcome;
    expect(served).toHaveLength(2);
    const tooMany = rejection(
      'badRequest',
      'A message can contain at most 100 others; split them into multiple messages.',
    );
    expect(await rejectionOf(batches(60, 41))).toMatchObject(tooMany);
    expect(await rejectionOf([...batches(100), device()])).toMatchObject(tooMany);
  });
});

describe('a batch', () => {
  it('of 100 messages is answered in order, with a separate response for each message', async () => {
    const messages = devices(100);
    const { outcome, served } = await forwardWith(messages);
    const answers = messages.map((_, index) => Uint8Array.of(0x30, index + 1));
    expect(await outcome).toEqual({ body: { type: 'nested', messages: answers } });
    expect(served).toEqual(messages);
  });

  it('preserves the order of the responses, regardless of which one is ready first', async () => {
    const messages = devices(10);
    const call = await callWith({ type: 'nested', messages }, { header: OUTER, profile: signing });
    const [waiting, most]: [(() => void)[], { value: number }] = [[], { value: 0 }];
    const answered = forwardMessages(call, messages, async (der) => {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      most.value = Math.max(most.value, waiting.length);
      // The last one that started continues first.
      if (waiting.length === 8 || messages.indexOf(der) >= 9)
        for (const resolve of waiting.splice(0).reverse()) resolve();
      await turn;
      return Uint8Array.of(0x30, messages.indexOf(der));
    });
    expect(await answered).toMatchObject({ body: { messages: messages.map((_, at) => Uint8Array.of(0x30, at)) } });
    expect(most.value).toBe(8);
  });

  it('can contain a message that cannot be parsed, and the error is returned at its position', async () => {
    const nonsense = Uint8Array.of(0x30, 0);
    const { outcome, served } = await forwardWith([nonsense, device()]);
    await outcome;
    expect(served[0]).toBe(nonsense);
  });

  const twice = [device({ transactionId: octets(5) }), device({ transactionId: octets(5) })];
  const sameNonce = [device({ senderNonce: octets(5) }), device({ senderNonce: octets(5) })];
  it.each([
    ['two messages have the same transactionID', twice, 'badRequest', /must have different transactionIDs/],
    ['a message has the transactionID of the batch', [device(OUTER), device()], 'badRequest', /must have different transactionIDs/],
    ['two messages have the same nonce', sameNonce, 'badSenderNonce', /must have different senderNonces/],
    ['a message has the nonce of the batch', [device({ senderNonce: octets(2) }), device()], 'badSenderNonce',
      /must have different senderNonces/],
  ] as const)('is rejected as a whole if %s', async (_what, messages, failure, words) => {
    expect(await rejectionOf(messages)).toMatchObject(rejection(failure, words));
  }); // prettier-ignore

  it('is rejected if its response could not be signed', async () => {
    const profile = profileWith();
    expect(await rejectionOf(devices(2), { profile })).toMatchObject(
      rejection('badRequest', /The profile does not sign responses and therefore does not accept batches;/),
    );
  });
});
