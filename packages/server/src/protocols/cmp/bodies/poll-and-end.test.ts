import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeCertificate,
  makeRoot,
  type TestCertificate,
} from '../../../areas/certificates/testing/test-certificates.ts';
import type { Enrollment } from '../../../areas/enrollments/index.ts';
import { callWith, detailWith, enrollmentWith } from '../testing/calls.ts';
import { bodyOf, partsWith, REPEATED_HEADER } from '../testing/transactions.ts';
import { end, poll } from './follow-ups.ts';

let certificate: TestCertificate;
let issued: Enrollment;

beforeAll(async () => {
  certificate = await makeCertificate('device-7', { issuer: await makeRoot('Root') });
  issued = enrollmentWith({ certificate: certificate.der });
});

const rejection = (failure: string, words: string) => ({ failure, message: words });

describe('a poll', () => {
  async function runPoll(found: readonly Enrollment[], certReqIds: readonly number[] = [0], settles: boolean[] = []) {
    const { parts, ...seen } = partsWith(found, settles);
    const call = await callWith({ type: 'pollReq', certReqIds }, { header: REPEATED_HEADER });
    return { ...seen, outcome: poll(parts, call, bodyOf(call.body, 'pollReq')) };
  }
  const waiting = enrollmentWith({ state: 'waiting' });
  const nextNonce = detailWith({ nonce: '07'.repeat(16) });

  it('is answered with the time of the next poll, and the nonce of that response is stored', async () => {
    const { outcome, settled } = await runPoll([waiting]);
    expect(await outcome).toEqual({ body: { type: 'pollRep', waits: [{ certReqId: 0, checkAfterSeconds: 10 }] } });
    expect(settled).toEqual([{ uuid: 'enrollment-1', from: ['waiting'], state: 'waiting', detail: nextNonce }]);
  });

  it('is answered with the certificate, and the nonce of that response is stored', async () => {
    const { outcome, settled } = await runPoll([issued]);
    expect(await outcome).toMatchObject({
      body: { type: 'ip', responses: [{ certReqId: 0, status: { status: 'accepted' }, certificate: certificate.der }] },
    });
    expect(settled).toMatchObject([{ from: ['issued'], state: 'issued', detail: nextNonce }]);
  });

  it('is answered with a decision that was made in the meantime', async () => {
    const { outcome, settled } = await runPoll([waiting, issued], [0], [false, true]);
    expect(await outcome).toMatchObject({ body: { responses: [{ status: { status: 'accepted' } }] } });
    expect(settled.map(({ from }) => from)).toEqual([['waiting'], ['issued']]);
  });

  it.each([
    [enrollmentWith({ state: 'refused', problem: 'Not for you.' }), 'Not for you.'],
    [enrollmentWith({ state: 'refused' }), 'The request was rejected.'],
    [enrollmentWith({ state: 'waiting', isAskedFor: false }), 'The request was deleted before a decision was made.'],
  ])(
    'is answered with a rejection and its reason after the request was rejected or deleted (%#)',
    async (found, words) => {
      const { outcome, settled } = await runPoll([found]);
      const status = { status: 'rejection', failures: ['badRequest'], texts: [words] };
      expect(await outcome).toEqual({ body: { type: 'ip', responses: [{ certReqId: 0, status }] } });
      const isDeleted = !found.isAskedFor;
      expect(settled.filter(({ state }) => state === 'refused' && isDeleted)).toHaveLength(isDeleted ? 1 : 0);
    },
  );

  it.each([[[1]], [[0, 1]], [[-1]]])('for the requests %j, one of which does not exist, is rejected', async (ids) => {
    const { outcome, settled } = await runPoll([waiting], ids);
    const unknown = ids.find((id) => id !== 0);
    await expect(outcome).rejects.toMatchObject(
      rejection('badRequest', `The transaction has no request with certReqId ${unknown}.`),
    );
    expect(settled).toEqual([]);
  });
});

describe('an error message from the client', () => {
  async function runEnd(found: Enrollment, texts: readonly string[] = []) {
    const { parts, ...seen } = partsWith([found]);
    const call = await callWith({ type: 'error', status: { status: 'rejection', texts } }, { header: REPEATED_HEADER });
    return { ...seen, reply: await end(parts, call, bodyOf(call.body, 'error')) };
  }

  it('causes an unconfirmed certificate to be revoked', async () => {
    const { reply, settled, revoked } = await runEnd(issued, ['disk', 'full']);
    expect(reply).toEqual({ body: { type: 'pkiconf' } });
    const problem = 'The client ended the transaction with an error. disk full';
    expect(settled).toEqual([{ uuid: 'enrollment-1', from: ['issued'], state: 'revoked', problem }]);
    expect(revoked).toHaveLength(1);
  });

  it('changes nothing if there is no unconfirmed certificate', async () => {
    const implicit = { ...issued, detail: detailWith({ implicit: true }) };
    const states = (['waiting', 'confirmed', 'refused', 'revoked'] as const).map((state) => ({ ...issued, state }));
    for (const found of [implicit, ...states]) {
      const { reply, settled, revoked } = await runEnd(found);
      expect([reply, settled, revoked]).toEqual([{ body: { type: 'pkiconf' } }, [], []]);
    }
  });
});
