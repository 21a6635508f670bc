// Authorization of initial certificate requests.
import { formatName, parseCertificationRequest } from '@signetry/pki';
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOfSecret } from '../../areas/enrollments/bound-names.ts';
import type { OneTimeSecret } from '../../areas/enrollments/secrets/use-secrets.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { Secret } from '../../kernel/secret.ts';
import { admit, type ChallengeParts } from './challenge.ts';
import { ScepRejection } from './rejection.ts';
import { factsOf } from './testing/scep-ports.ts';
import { makeDevice, makeReadMessage, requestOf, type Device } from './testing/scep-messages.ts';
import { RA_PROFILE, servedProfile } from './testing/served-profile.ts';

const PASSWORD = new Secret('pässwörd');
const URL = 'https://challenges.test/ask';
const SECRET: OneTimeSecret = { uuid: 'secret-uuid', reference: 'r', secret: new Secret('once'), names: undefined };
const REFUSAL = { failInfo: 'badMessageCheck', message: 'The challenge password is missing or incorrect.' };

let device: Device;
beforeAll(async () => {
  device = await makeDevice('device.example');
});

/** Requests admission with a challenge; `asked` records lookups and webhook calls outside the profile. */
async function ask(
  settings: Partial<ServedScepProfile>,
  challenge: string | undefined,
  { secret, webhook = async () => false }: { secret?: OneTimeSecret; webhook?: ChallengeParts['webhook'] } = {},
) {
  const asked: unknown[] = [];
  const der = requestOf(device, challenge);
  const message = await makeReadMessage({ signer: device, recipient: device.certificate, transactionId: 'T1' });
  const secrets = {
    findBySecret: async (query: { readonly secret: string }) => {
      asked.push(query);
      return secret && query.secret === secret.secret.reveal() ? secret : undefined;
    },
    findByReference: () => expect.unreachable('a challenge has no reference'),
  };
  const parts: ChallengeParts = {
    enrollments: { secrets },
    webhook: (url, question) => {
      asked.push([url, question]);
      return webhook(url, question);
    },
  };
  const request = parseCertificationRequest(der);
  const challenged = { profile: servedProfile(settings), message, request, facts: factsOf(der) };
  const outcome = await admit(parts, challenged).catch((error: unknown) => error);
  return { outcome, asked, der };
}

describe('a profile without a challenge', () => {
  it.each([undefined, '', 'whatever'])('accepts every request: with %s', async (challenge) => {
    const { outcome, asked } = await ask({}, challenge);
    expect([outcome, asked]).toEqual([{}, []]);
  });
});

describe("a profile's password", () => {
  it('is accepted', async () => {
    expect((await ask({ challengePassword: PASSWORD }, 'pässwörd')).outcome).toEqual({});
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['shorter', 'pässwör'],
    ['longer', 'pässwörd '],
    ['of other case', 'Pässwörd'],
    ['of the same length', 'pässwört'],
    ['the mask of secrets', '[secret]'],
    ['very long', 'x'.repeat(10_000)],
  ])('is rejected if it is %s', async (_what, challenge) => {
    const { outcome } = await ask({ challengePassword: PASSWORD }, challenge);
    expect(outcome).toBeInstanceOf(ScepRejection);
    expect(outcome).toMatchObject(REFUSAL);
  });
});

describe('a one-time secret', () => {
  const settings = { oneTimeChallenges: true };

  it('is accepted, looked up under the RA profile, and returned so that it can be consumed', async () => {
    const { outcome, asked } = await ask(settings, 'once', { secret: SECRET });
    expect(outcome).toEqual({ oneTimeSecretUuid: 'secret-uuid' });
    expect(asked).toEqual([{ protocol: 'scep', raProfileUuid: RA_PROFILE.uuid, secret: 'once' }]);
  });

  it('is accepted only for the subject that it was issued for', async () => {
    const own = { ...SECRET, names: namesOfSecret(formatName(device.certificate.subject), {}, 'r') };
    const other = { ...SECRET, names: namesOfSecret('CN=another', {}, 'r') };
    expect((await ask(settings, 'once', { secret: own })).outcome).toEqual({ oneTimeSecretUuid: 'secret-uuid' });
    expect((await ask(settings, 'once', { secret: other })).outcome).toMatchObject({
      message: expect.stringContaining('the one-time secret r does not cover that name'),
    });
  });

  it('is rejected if it is unknown, and is not looked up if the request contains none', async () => {
    expect((await ask(settings, 'twice', { secret: SECRET })).outcome).toMatchObject(REFUSAL);
    for (const challenge of [undefined, '']) {
      const { outcome, asked } = await ask(settings, challenge, { secret: SECRET });
      expect(outcome).toMatchObject(REFUSAL);
      expect(asked).toEqual([]);
    }
  });

  it('is rejected if the profile does not accept one-time secrets or has no RA profile', async () => {
    const only = await ask({ challengePassword: PASSWORD }, 'once', { secret: SECRET });
    expect(only.outcome).toMatchObject(REFUSAL);
    const without = await ask({ ...settings, raProfile: undefined }, 'once', { secret: SECRET });
    expect(without.outcome).toMatchObject(REFUSAL);
    expect([...only.asked, ...without.asked]).toEqual([]);
  });

  it("is not consumed if the profile's password matches", async () => {
    const both = { ...settings, challengePassword: new Secret('once') };
    const { outcome, asked } = await ask(both, 'once', { secret: SECRET });
    expect([outcome, asked]).toEqual([{}, []]);
  });
});

describe('a webhook', () => {
  const settings = { challengeWebhookUrl: URL };

  it('can accept a request, and receives the requester and the request', async () => {
    const { outcome, asked, der } = await ask(settings, 'ask them', { webhook: async () => true });
    expect(outcome).toEqual({});
    const question = {
      profile: 'routers',
      transactionId: 'T1',
      subject: 'CN=device.example, O=Test',
      challengePassword: 'ask them',
      request: Buffer.from(der).toString('base64'),
    };
    expect(asked).toEqual([[URL, question]]);
  });

  it('can reject a request or fail, with different errors', async () => {
    expect((await ask(settings, 'ask them')).outcome).toMatchObject(REFUSAL);
    const broken = async () => Promise.reject(new ScepRejection('badRequest', 'Later.'));
    expect((await ask(settings, 'ask them', { webhook: broken })).outcome).toMatchObject({ failInfo: 'badRequest' });
  });

  it('is not called if the request contains no challenge, or if the profile recognizes the challenge', async () => {
    const both = { ...settings, challengePassword: PASSWORD, oneTimeChallenges: true };
    const cases = [await ask(settings, undefined), await ask(settings, ''), await ask(both, 'pässwörd')];
    expect(cases.map(({ outcome }) => outcome)).toEqual([
      expect.objectContaining({ failInfo: 'badMessageCheck' }),
      expect.objectContaining({ failInfo: 'badMessageCheck' }),
      {},
    ]);
    expect(cases.flatMap(({ asked }) => asked)).toEqual([]);
  });
});
