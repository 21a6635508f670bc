// Requests signed with a certificate in the inventory: their transactions and their authorization.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { Secret } from '../../kernel/secret.ts';
import { sha256 } from './sha256.ts';
import { processRequest, type RequestSpec } from './testing/process-request.ts';
import { makeDevice, requestOf, type Device } from './testing/scep-messages.ts';
import { createPorts, foundCertificate, NOW, type ScepPorts } from './testing/scep-ports.ts';

let device: Device;
let issued: Device;
let ports: ScepPorts;

beforeAll(async () => {
  device = await makeDevice('device.example');
  const issuer = await makeDevice('issuer.example', { ca: true });
  const validity = { notBefore: new Date(NOW.getTime() - 1_000), notAfter: new Date(NOW.getTime() + 1_000) };
  issued = await makeDevice('device.example', { issuer, serialNumber: '0a', ...validity });
});
beforeEach(() => {
  ports = createPorts();
});

const PASSWORD = new Secret('password');
const ask = (wish: Partial<RequestSpec> = {}, settings: Partial<ServedScepProfile> = {}) =>
  processRequest(ports, { signer: device, content: requestOf(device), ...wish }, settings);

describe('a renewal', () => {
  const renew = (wish: Partial<RequestSpec> = {}, settings: Partial<ServedScepProfile> = {}) =>
    ask({ type: 'RenewalReq', signer: issued, transactionId: 'T1', ...wish }, settings);

  it('requires no challenge, and identifies the certificate that it replaces', async () => {
    ports.inventory.push(foundCertificate(issued.der, { uuid: 'first' }));
    expect(await renew({}, { challengePassword: PASSWORD })).toEqual({ status: 'pending' });
    expect(ports.begun).toMatchObject([{ kind: 'RenewalReq', predecessorUuid: 'first' }]);
  });

  it('can be a PKCSReq, for clients that support no other message type', async () => {
    ports.inventory.push(foundCertificate(issued.der, { uuid: 'first' }));
    await renew({ type: 'PKCSReq' }, { challengePassword: PASSWORD });
    expect(ports.begun).toMatchObject([{ kind: 'PKCSReq', predecessorUuid: 'first' }]);
  });

  it.each([
    ['a stranger', () => device],
    ['a certificate that the inventory does not know', () => issued],
  ])('is rejected if it is signed with %s, even with the correct challenge', async (_who, signer) => {
    const content = requestOf(device, 'password');
    await expect(renew({ signer: signer(), content }, { challengePassword: PASSWORD })).rejects.toMatchObject({
      failInfo: 'badMessageCheck',
      message: 'A RenewalReq must be signed with a certificate that was issued under this RA profile.',
    });
  });

  it('has a different transaction than an initial request with the same identifier', async () => {
    ports.inventory.push(foundCertificate(issued.der));
    await ask({ transactionId: 'T1' });
    await renew();
    expect(ports.begun.map(({ transactionId }) => transactionId)).toEqual(['T1', 'T1/a']);
  });

  it.each([
    [253, `${'x'.repeat(253)}/a`],
    [254, sha256(Buffer.from(`${'x'.repeat(254)}/a`))],
    [255, sha256(Buffer.from(`${'x'.repeat(255)}/a`))],
  ])('has a transaction ID that can be stored if the identifier has %i characters', async (length, expected) => {
    ports.inventory.push(foundCertificate(issued.der));
    await renew({ transactionId: 'x'.repeat(length) });
    expect(ports.begun[0]?.transactionId).toBe(expected);
  });
});
