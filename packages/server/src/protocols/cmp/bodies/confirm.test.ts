import {
  certificateHash,
  digestAlgorithmPart,
  encodeDer,
  parseCertificate,
  type CertConfirmationInput,
  type PkiStatus,
} from '@signetry/pki';
import { nodeCrypto, shake256 } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import type { Enrollment } from '../../../areas/enrollments/index.ts';
import {
  callWith,
  detailWith,
  enrollmentWith,
  LAST_NONCE,
  macSender,
  signer,
  type CallSpec,
} from '../testing/calls.ts';
import { bodyOf, partsWith, REPEATED_HEADER } from '../testing/transactions.ts';
import { confirm } from './follow-ups.ts';

let certificate: TestCertificate;
let issued: Enrollment;

beforeAll(async () => {
  certificate = await makeCertificate('device-7', { issuer: await makeRoot('Root') });
  issued = enrollmentWith({ certificate: certificate.der });
});

const rejection = (failure: string, words: string) => ({ failure, message: words });
const hashOf = ({ der }: TestCertificate) =>
  certificateHash(parseCertificate(der), { digest: nodeCrypto.digest, shake256 });

interface ConfirmationCase {
  readonly found?: Enrollment | undefined;
  readonly settles?: readonly boolean[];
  readonly hashes?: readonly Uint8Array[];
  readonly status?: PkiStatus;
  readonly texts?: readonly string[];
  readonly wish?: CallSpec;
  /** Replaces members of every confirmation. */
  readonly member?: Partial<CertConfirmationInput>;
}

async function runConfirmation({
  settles = [],
  status,
  texts = [],
  wish = {},
  member,
  ...given
}: ConfirmationCase = {}) {
  const { hashes = [hashOf(certificate)] } = given;
  const { parts, ...seen } = partsWith(['found' in given ? given.found : issued], settles);
  const confirmations = hashes.map((certHash) => ({
    certHash,
    certReqId: 0,
    status: status && { status, texts },
    ...member,
  }));
  const call = await callWith({ type: 'certConf', confirmations }, { header: REPEATED_HEADER, ...wish });
  return { ...seen, outcome: confirm(parts, call, bodyOf(call.body, 'certConf')) };
}

const confirmed = { uuid: 'enrollment-1', from: ['issued'], state: 'confirmed', problem: undefined };

describe("a follow-up message's transaction", () => {
  it('is looked up under its profile', async () => {
    const header = { ...REPEATED_HEADER, transactionId: new Uint8Array(16).fill(5) };
    const { keys, outcome } = await runConfirmation({ wish: { header } });
    await outcome;
    expect(keys).toEqual([{ protocol: 'cmp', profileUuid: 'cmp-1', transactionId: '05'.repeat(16) }]);
  });

  const none = 'The message does not repeat the nonce of the last response.';
  it.each([
    ['that nobody began', { found: undefined }, 'badRequest', 'Transaction not found; start with a certificate request.'],
    ['with another nonce', { wish: { header: { recipientNonce: new Uint8Array(16) } } }, 'badRecipientNonce', none],
    ['with a part of the nonce', { wish: { header: { recipientNonce: LAST_NONCE.subarray(1) } } }, 'badRecipientNonce',
      none],
    ['without a nonce', { wish: { header: {} } }, 'badRecipientNonce', none],
  ] as const)('cannot be one %s', async (_what, given, failure, words) => {
    const { outcome, settled } = await runConfirmation(given);
    await expect(outcome).rejects.toMatchObject(rejection(failure, words));
    expect(settled).toEqual([]);
  }); // prettier-ignore

  it('cannot be continued by a different sender, even with the correct nonce', async () => {
    const different = 'A different sender started this transaction.';
    const unlike = 'The message must have the same kind of protection as the first message of the transaction.';
    const senders = [
      [await macSender({ oneTime: { uuid: 'secret-1', names: undefined } }), 'notAuthorized', different],
      [signer(certificate), 'wrongIntegrity', unlike],
    ] as const;
    for (const [sender, failure, words] of senders) {
      const { outcome, settled, revoked } = await runConfirmation({ wish: { sender } });
      await expect(outcome).rejects.toMatchObject(rejection(failure, words));
      expect([settled, revoked]).toEqual([[], []]);
    }
    const found = { ...issued, detail: detailWith({ sender: 'secret-1' }) };
    const { outcome } = await runConfirmation({ found });
    await expect(outcome).rejects.toMatchObject(
      rejection('notAuthorized', 'A different sender started this transaction.'),
    );
  });
});

describe('a confirmation', () => {
  it.each([[undefined], ['accepted']] as const)('with the status %s accepts the certificate', async (status) => {
    const { outcome, settled, revoked } = await runConfirmation(status === undefined ? {} : { status });
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
    expect([settled, revoked]).toEqual([[confirmed], []]);
  });

  it.each([
    ['a rejection', { status: 'rejection', texts: ['no room', 'for it'] },
      'The client rejected the certificate. no room for it'],
    ['no word', { status: 'rejection' }, 'The client rejected the certificate.'],
    ['no confirmation in it', { hashes: [] }, 'The client rejected the certificate.'],
  ] as const)('with %s causes the certificate to be revoked', async (_what, given, problem) => {
    const { outcome, settled, revoked } = await runConfirmation(given);
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
    expect(settled).toEqual([{ uuid: 'enrollment-1', from: ['issued'], state: 'revoked', problem }]);
    expect(revoked).toMatchObject([
      { certificateUuid: 'certificate-1', reason: 'cessationOfOperation', raProfileUuid: 'ra-1' },
    ]);
  }); // prettier-ignore

  const other = 'The hash in the confirmation does not match the certificate.';
  it('for a different certificate is rejected, and so are two confirmations in one message, even for this certificate', async () => {
    const own = hashOf(certificate);
    const two = 'The transaction has one certificate; confirm only that one.';
    const cases = [
      [[own.subarray(1)], 'badCertId', other],
      [[new Uint8Array()], 'badCertId', other],
      [[own, own], 'badRequest', two],
    ] as const;
    for (const [hashes, failure, words] of cases)
      for (const status of ['accepted', 'rejection'] as const) {
        const { outcome, settled, revoked } = await runConfirmation({ hashes, status });
        await expect(outcome).rejects.toMatchObject(rejection(failure, words));
        expect([settled, revoked]).toEqual([[], []]);
      }
  });

  const sha512 = { der: encodeDer(digestAlgorithmPart('sha512')) };
  it.each([
    ['a certReqId of no request', { certReqId: 1 }, 'badRequest', 'The transaction has no request with certReqId 1.'],
    ['failInfo for an accepted certificate', { status: { status: 'accepted', failures: ['badRequest'] } }, 'badRequest',
      'The statusInfo accepts the certificate, but it contains failInfo.'],
    ['a status that is no decision', { status: { status: 'waiting' } }, 'badRequest',
      'The statusInfo of a confirmation must be accepted or rejection.'],
    ['hashAlg in version 2', { hashAlgorithm: sha512 }, 'badCertId',
      'The confirmation contains hashAlg, which requires CMP version 3.'],
  ] as const)('with %s is rejected, and the certificate stays valid', async (_what, member, failure, words) => {
    const { outcome, settled, revoked } = await runConfirmation({ member });
    await expect(outcome).rejects.toMatchObject(rejection(failure, words));
    expect([settled, revoked]).toEqual([[], []]);
  }); // prettier-ignore

  it('can use a different digest in version 3', async () => {
    const hashes = [nodeCrypto.digest('sha512', certificate.der)];
    const wish = { header: { ...REPEATED_HEADER, pvno: 3 } };
    const { outcome, settled } = await runConfirmation({ hashes, member: { hashAlgorithm: sha512 }, wish });
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
    expect(settled).toEqual([confirmed]);
  });

  it.each([[-1], [0]])('of a p10cr can refer to it with certReqId %i', async (certReqId) => {
    const found = { ...issued, detail: detailWith({ answer: 'cp', certReqId: -1 }) };
    const { outcome } = await runConfirmation({ found, member: { certReqId } });
    expect(await outcome).toEqual({ body: { type: 'pkiconf' } });
  });

  it.each([
    ['confirmed', 'certConfirmed', 'The certificate is already confirmed.'],
    ['waiting', 'badRequest', 'The transaction has no certificate awaiting confirmation.'],
    ['refused', 'badRequest', 'The transaction has no certificate awaiting confirmation.'],
    ['revoked', 'badRequest', 'The transaction has no certificate awaiting confirmation.'],
  ] as const)('is rejected if the transaction is %s', async (state, failure, words) => {
    const { outcome, settled, revoked } = await runConfirmation({ found: { ...issued, state } });
    await expect(outcome).rejects.toMatchObject(rejection(failure, words));
    expect([settled, revoked]).toEqual([[], []]);
  });

  it('that is sent a second time is rejected as already confirmed', async () => {
    const { outcome } = await runConfirmation({ settles: [false] });
    await expect(outcome).rejects.toMatchObject(rejection('certConfirmed', 'The certificate is already confirmed.'));
  });
});
