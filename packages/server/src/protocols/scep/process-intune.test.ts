// Requests under a profile with Microsoft Intune validation.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../kernel/secret.ts';
import { ScepRejection } from './rejection.ts';
import { processRequest, type RequestSpec } from './testing/process-request.ts';
import { makeDevice, requestOf, type Device } from './testing/scep-messages.ts';
import { createPorts, enrollmentOf, foundCertificate, NOW, type ScepPorts } from './testing/scep-ports.ts';

let device: Device;
let issued: Device;
let ports: ScepPorts;

beforeAll(async () => {
  device = await makeDevice('managed.example');
  const issuer = await makeDevice('issuer.example', { ca: true });
  const validity = { notBefore: new Date(NOW.getTime() - 1_000), notAfter: new Date(NOW.getTime() + 1_000) };
  issued = await makeDevice('managed.example', { issuer, ...validity });
});
beforeEach(() => {
  ports = createPorts();
});

const ACCOUNT = { tenant: 'contoso.example', applicationId: 'app', applicationKey: new Secret('key') };
const profile = { intune: ACCOUNT, challengePassword: new Secret('password') };

const ask = (wish: Partial<RequestSpec> = {}) =>
  processRequest(ports, { signer: device, content: requestOf(device, 'password'), ...wish }, profile);

const rejectAll = () => {
  ports.state.intuneFails = new ScepRejection('badMessageCheck', 'Intune says no.');
};

describe('a request under an Intune profile', () => {
  it('is validated, and its notification to Intune is recorded before the enrollment starts', async () => {
    expect(await ask()).toEqual({ status: 'pending' });
    expect(ports.steps).toEqual(['admit', 'expect', 'enroll', 'hasten']);
  });

  it("is rejected if Intune rejects it, regardless of the profile's challenge", async () => {
    rejectAll();
    await expect(ask()).rejects.toMatchObject({ failInfo: 'badMessageCheck', message: 'Intune says no.' });
    expect(ports.steps).toEqual([]);
  });

  it('is also validated for renewals', async () => {
    ports.inventory.push(foundCertificate(issued.der, { uuid: 'first' }));
    await ask({ type: 'RenewalReq', signer: issued });
    expect(ports.steps).toEqual(['admit', 'expect', 'enroll', 'hasten']);
    expect(ports.begun).toMatchObject([{ predecessorUuid: 'first' }]);
    rejectAll();
    await expect(ask({ type: 'RenewalReq', signer: issued, transactionId: 'T2' })).rejects.toThrow('Intune says no.');
  });

  it('is not validated again if it is repeated', async () => {
    await ask();
    await ask();
    expect(ports.steps).toEqual(['admit', 'expect', 'enroll', 'hasten']);
  });

  it('is recorded, but not validated again, if a node abandoned it', async () => {
    ports.known.set('transaction', enrollmentOf({ isAbandoned: true }));
    await ask();
    expect(ports.steps).toEqual(['expect', 'enroll', 'hasten']);
  });
});
