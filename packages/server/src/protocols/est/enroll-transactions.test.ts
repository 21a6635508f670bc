// Repeated requests: they find their transaction, or start a new one.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../areas/certificates/testing/test-certificates.ts';
import { coreContext } from '../../kernel/actor.ts';
import { Secret } from '../../kernel/secret.ts';
import { enroll, type EnrollCall } from './enroll.ts';
import type { Requester } from './requester.ts';
import { createTestEst, type TestEst } from './testing/est-parts.ts';
import { requestFor, servedProfile } from './testing/est-requests.ts';

const DAY_MS = 86_400_000;
const ISSUED = new Date('2030-01-01T00:00:00Z');
const device: Requester = { by: 'password', name: 'device', identity: 'user device' };
const used: Requester = { by: 'oneTimePassword', name: 'one-time password 7', identity: 'secret 7', secret: undefined };
const der = await requestFor('CN=switch-1');
const issued = await makeCertificate('switch-1', { notBefore: ISSUED, notAfter: new Date('2031-01-01T00:00:00Z') });

let est: TestEst;
beforeEach(() => {
  est = createTestEst();
  est.now = ISSUED;
  est.outcome = { state: 'issued', certificate: issued.der };
});

const ask = (facts: Partial<EnrollCall> = {}): Promise<Uint8Array | undefined> =>
  enroll(
    est.parts,
    { operation: 'simpleenroll', profile: servedProfile(), requester: device, der, binding: () => undefined, ...facts },
    coreContext('test'),
  );
const transactionOf = ({ identity }: Requester): string =>
  createHash('sha256').update(`${identity}\0`).update(der).digest('hex');
const transactions = (): string[] => est.begun.map(({ transactionId }) => transactionId);
/** Changes the stored facts of the only transaction. */
function change(facts: Partial<(typeof est)['outcome']>): void {
  for (const [id, enrollment] of est.known) est.known.set(id, { ...enrollment, ...facts });
}

describe('a request', () => {
  it("starts a transaction whose ID is derived from the request's content and its sender", async () => {
    expect(await ask()).toBe(issued.der);
    expect(est.begun).toMatchObject([
      {
        protocol: 'est',
        kind: 'simpleenroll',
        requester: 'device',
        transactionId: transactionOf(device),
        request: { subject_dn: 'CN=switch-1', der },
        requireManualApproval: false,
        predecessorUuid: undefined,
        oneTimeSecretUuid: undefined,
      },
    ]);
  });

  it('receives the same certificate if it is repeated with either operation', async () => {
    await ask();
    expect(await ask()).toBe(issued.der);
    expect(await ask({ operation: 'simplereenroll' })).toBe(issued.der);
    expect(est.begun).toHaveLength(1);
  });

  it('starts a different transaction if the sender or even a single byte differs', async () => {
    await ask();
    await ask({ requester: { by: 'password', name: 'other', identity: 'user other' } });
    await ask({ der: await requestFor('CN=switch-1') });
    expect(new Set(transactions()).size).toBe(3);
  });

  it('waits until its certificate is issued, and then receives it in the same transaction', async () => {
    est.outcome = { state: 'waiting' };
    expect(await ask({ profile: servedProfile({ manualApproval: true }) })).toBeUndefined();
    expect(await ask()).toBeUndefined();
    change({ state: 'issued', certificate: issued.der });
    expect(await ask()).toBe(issued.der);
    expect(est.begun).toMatchObject([{ requireManualApproval: true }]);
  });

  it('finds its transaction even after its one-time password was used', async () => {
    est.outcome = { state: 'waiting' };
    const secret = { uuid: 'secret', reference: '7', secret: new Secret('x'), names: undefined };
    await ask({ requester: { ...used, secret } });
    expect(est.begun).toMatchObject([{ oneTimeSecretUuid: 'secret' }]);
    change({ state: 'issued', certificate: issued.der });
    expect(await ask({ requester: used })).toBe(issued.der);
  });

  it.each([
    ['receives the same certificate for seven days', 7 * DAY_MS, 1],
    ['requests a new certificate after seven days', 7 * DAY_MS + 1, 2],
  ])('whose certificate was issued %s', async (_what, afterMs, begun) => {
    await ask();
    est.now = new Date(ISSUED.getTime() + afterMs);
    await ask();
    expect(transactions()).toEqual([transactionOf(device), `${transactionOf(device)}.2`].slice(0, begun));
  });

  it('reports that its certificate is revoked each time it is repeated', async () => {
    await ask();
    change({ state: 'revoked' });
    const revoked = { status: 400, message: 'The certificate of this request is revoked.' };
    await expect(ask()).rejects.toMatchObject(revoked);
    await expect(ask()).rejects.toMatchObject(revoked);
    expect(est.begun).toHaveLength(1);
  });
});

describe('a rejected request', () => {
  beforeEach(() => {
    est.outcome = { state: 'refused', problem: 'The authority does not issue for this name.' };
  });
  const refused = { status: 400, message: 'The authority does not issue for this name.' };

  it('reports the reason', async () => {
    await expect(ask()).rejects.toMatchObject(refused);
    est.outcome = { state: 'refused' };
    await expect(ask({ requester: { by: 'password', name: 'b', identity: 'user b' } })).rejects.toMatchObject({
      status: 400,
      message: 'The request was rejected.',
    });
  });

  it('starts a new transaction after the rejection was reported', async () => {
    await expect(ask()).rejects.toMatchObject(refused);
    est.outcome = { state: 'issued', certificate: issued.der };
    expect(await ask()).toBe(issued.der);
    expect(transactions()).toEqual([transactionOf(device), `${transactionOf(device)}.2`]);
  });

  it('reports a rejection that occurred while it was waiting before it starts a new transaction', async () => {
    est.outcome = { state: 'waiting' };
    await ask();
    change({ state: 'refused', problem: refused.message });
    await expect(ask()).rejects.toMatchObject(refused);
    expect(est.begun).toHaveLength(1);
    await ask();
    expect(est.begun).toHaveLength(2);
  });

  it('starts a new transaction at most 50 times', async () => {
    for (let attempt = 1; attempt <= 50; attempt++) await expect(ask()).rejects.toMatchObject(refused);
    expect(est.begun).toHaveLength(50);
    await expect(ask()).rejects.toMatchObject({
      status: 400,
      message: 'This request was rejected 50 times; create a new one.',
    });
    expect(est.begun).toHaveLength(50);
  });

  it('does not start a new transaction with a used one-time password', async () => {
    const secret = { uuid: 'secret', reference: '7', secret: new Secret('x'), names: undefined };
    await expect(ask({ requester: { ...used, secret } })).rejects.toMatchObject(refused);
    await expect(ask({ requester: used })).rejects.toMatchObject({
      status: 401,
      message: 'The username or password is incorrect, or the one-time password was already used or has expired.',
    });
    expect(est.begun).toHaveLength(1);
  });
});

describe('a transaction abandoned by a failed node', () => {
  beforeEach(async () => {
    est.outcome = { state: 'waiting', isAbandoned: true };
    await ask();
    est.outcome = { state: 'issued', certificate: issued.der };
  });

  it('continues with the same ID', async () => {
    expect(await ask()).toBe(issued.der);
    expect(transactions()).toEqual([transactionOf(device), transactionOf(device)]);
  });

  it('continues only if the profile still permits it', async () => {
    const profile = servedProfile({ requireLinking: true });
    await expect(ask({ profile, binding: () => 'abc' })).rejects.toMatchObject({ status: 400 });
    expect(est.begun).toHaveLength(1);
  });
});
