import { certificateHash, parseCertificate, type PkiStatus } from '@signetry/pki';
import { nodeCrypto, shake256 } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import type { Enrolment } from '../../../areas/enrolments/index.ts';
import { callWith, detailWith, enrolmentWith, LAST_NONCE, macSender, signer, type CallWish } from '../testing/calls.ts';
import { bodyOf, partsWith, REPEATING } from '../testing/transactions.ts';
import { confirm } from './follow-ups.ts';

let certificate: TestCertificate;
let issued: Enrolment;

beforeAll(async () => {
  certificate = await makeCertificate('device-7', { issuer: await makeRoot('Root') });
  issued = enrolmentWith({ certificate: certificate.der });
});

const refusal = (failure: string, words: string) => ({ failure, message: words });
const hashOf = ({ der }: TestCertificate) =>
  certificateHash(parseCertificate(der), { digest: nodeCrypto.digest, shake256 });

interface Confirming {
  readonly found?: Enrolment | undefined;
  readonly settles?: readonly boolean[];
  readonly hashes?: readonly Uint8Array[];
  readonly status?: PkiStatus;
  readonly texts?: readonly string[];
  readonly wish?: CallWish;
}

async function confirming({ settles = [], status, texts = [], wish = {}, ...given }: Confirming = {}) {
  const { hashes = [hashOf(certificate)] } = given;
  const { parts, ...seen } = partsWith(['found' in given ? given.found : issued], settles);
  const confirmations = hashes.map((certHash) => ({ certHash, certReqId: 0, status: status && { status, texts } }));
  const call = await callWith({ type: 'certConf', confirmations }, { header: REPEATING, ...wish });
  return { ...seen, outcome: confirm(parts, call, bodyOf(call.body, 'certConf')) };
}

const confirmed = { uuid: 'enrolment-1', from: ['issued'], state: 'confirmed', problem: undefined };

describe('the transaction that a message goes on with', () => {
  it('is looked for under its profile', async () => {
    const header = { ...REPEATING, transactionId: new Uint8Array(16).fill(5) };
    const { keys, outcome } = await confirming({ wish: { header } });
    await outcome;
    expect(keys).toEqual([{ protocol: 'cmp', profileUuid: 'cmp-1', transactionId: '05'.repeat(16) }]);
  });

  const none = 'The message does not repeat the nonce of our last answer.';
  it.each([
    ['that nobody began', { found: undefined }, 'badRequest', 'There is no such transaction; begin with a request.'],
    ['with another nonce', { wish: { header: { recipientNonce: new Uint8Array(16) } } }, 'badRecipientNonce', none],
    ['with a part of the nonce', { wish: { header: { recipientNonce: LAST_NONCE.subarray(1) } } }, 'badRecipientNonce',
      none],
    ['without a nonce', { wish: { header: {} } }, 'badRecipientNonce', none],
  ] as const)('is not one %s', async (_what, given, failure, words) => {
    const { outcome, settled } = await confirming(given);
    await expect(outcome).rejects.toMatchObject(refusal(failure, words));
    expect(settled).toEqual([]);
  }); // prettier-ignore

  it('is not gone on with by another sender, whatever it knows', async () => {
    const senders = [await macSender({ oneTime: { uuid: 'secret-1', names: undefined } }), signer(certificate)];
    for (const sender of senders) {
      const { outcome, settled, revoked } = await confirming({ wish: { sender } });
      await expect(outcome).rejects.toMatchObject(refusal('notAuthorized', 'Another sender began this transaction.'));
      expect([settled, revoked]).toEqual([[], []]);
    }
    const found = { ...issued, detail: detailWith({ sender: 'secret-1' }) };
    const { outcome } = await confirming({ found });
    await expect(outcome).rejects.toMatchObject(refusal('notAuthorized', 'Another sender began this transaction.'));
  });
});

describe('a confirmation', () => {
  it.each([[undefined], ['accepted']] as const)('with the status %s takes the certificate', async (status) => {
    const { outcome, settled, revoked } = await confirming(status === undefined ? {} : { status });
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
    expect([settled, revoked]).toEqual([[confirmed], []]);
  });

  it.each([
    ['a rejection', { status: 'rejection', texts: ['no room', 'for it'] },
      'The client did not take it. no room for it'],
    ['no word', { status: 'rejection' }, 'The client did not take it.'],
    ['no confirmation in it', { hashes: [] }, 'The client did not take it.'],
  ] as const)('with %s has the certificate revoked', async (_what, given, problem) => {
    const { outcome, settled, revoked } = await confirming(given);
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
    expect(settled).toEqual([{ uuid: 'enrolment-1', from: ['issued'], state: 'revoked', problem }]);
    expect(revoked).toMatchObject([
      { certificateUuid: 'certificate-1', reason: 'cessationOfOperation', raProfileUuid: 'ra-1' },
    ]);
  }); // prettier-ignore

  const other = 'The hash in the confirmation is not that of the certificate.';
  it('of another certificate is refused, and so are two at once, even of this one', async () => {
    const own = hashOf(certificate);
    for (const hashes of [[own.subarray(1)], [new Uint8Array()], [own, own]])
      for (const status of ['accepted', 'rejection'] as const) {
        const { outcome, settled, revoked } = await confirming({ hashes, status });
        await expect(outcome).rejects.toMatchObject(refusal('badCertId', other));
        expect([settled, revoked]).toEqual([[], []]);
      }
  });

  it.each([
    ['confirmed', 'certConfirmed', 'The certificate is confirmed already.'],
    ['waiting', 'badRequest', 'The transaction has no certificate that waits for its confirmation.'],
    ['refused', 'badRequest', 'The transaction has no certificate that waits for its confirmation.'],
    ['revoked', 'badRequest', 'The transaction has no certificate that waits for its confirmation.'],
  ] as const)('is refused where the transaction is %s', async (state, failure, words) => {
    const { outcome, settled, revoked } = await confirming({ found: { ...issued, state } });
    await expect(outcome).rejects.toMatchObject(refusal(failure, words));
    expect([settled, revoked]).toEqual([[], []]);
  });

  it('that comes second is told so', async () => {
    const { outcome } = await confirming({ settles: [false] });
    await expect(outcome).rejects.toMatchObject(refusal('certConfirmed', 'The certificate is confirmed already.'));
  });
});
