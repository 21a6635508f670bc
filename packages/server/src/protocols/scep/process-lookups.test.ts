// GetCert and GetCRL: lookups that a device can perform.
import {
  assembleCrl,
  buildIssuerAndSerialNumber,
  buildTbsCertList,
  defaultSignatureAlgorithm,
  parsePublicKey,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { processRequest } from './testing/process-request.ts';
import { makeDevice, type Device } from './testing/scep-messages.ts';
import { createPorts, foundCertificate, NOW, type ScepPorts } from './testing/scep-ports.ts';
import { RA_PROFILE } from './testing/served-profile.ts';

let device: Device;
let issuer: Device;
let sameNumber: Device;
let ports: ScepPorts;

beforeAll(async () => {
  issuer = await makeDevice('issuer.example', { ca: true });
  const other = await makeDevice('other.example', { ca: true });
  device = await makeDevice('device.example', { issuer, serialNumber: '00ff' });
  sameNumber = await makeDevice('elsewhere.example', { issuer: other, serialNumber: '00ff' });
});
beforeEach(() => {
  ports = createPorts();
});

const named = ({ certificate }: Device): Uint8Array =>
  buildIssuerAndSerialNumber({ issuer: certificate.issuerDer, serialBytes: certificate.serialBytes });

const ask = (type: 'GetCert' | 'GetCRL', content: Uint8Array, settings: Partial<ServedScepProfile> = {}) =>
  processRequest(ports, { type, content, signer: device }, settings);

describe('GetCert', () => {
  const UNKNOWN = { failInfo: 'badCertId', message: 'Certificate not found under this RA profile.' };

  it('returns a certificate of the RA profile by issuer and serial number', async () => {
    ports.inventory.push(foundCertificate(sameNumber.der), foundCertificate(device.der));
    const { der } = device;
    expect(await ask('GetCert', named(device))).toEqual({ status: 'success', certificates: [Buffer.from(der)] });
  });

  it.each([
    ['of a different RA profile', { ra_profile_uuid: '99999999-0000-7000-8000-000000000001' }, {}],
    ['without an RA profile', { ra_profile_uuid: null }, {}],
    ['without an RA profile, for a SCEP profile without one', { ra_profile_uuid: null }, { raProfile: undefined }],
  ])('does not return a certificate %s', async (_what, found, settings) => {
    ports.inventory.push(foundCertificate(device.der, found));
    await expect(ask('GetCert', named(device), settings)).rejects.toMatchObject(UNKNOWN);
  });

  it('does not return a certificate with a different issuer or serial number', async () => {
    ports.inventory.push(foundCertificate(device.der));
    await expect(ask('GetCert', named(sameNumber))).rejects.toMatchObject(UNKNOWN);
    await expect(ask('GetCert', named(issuer))).rejects.toMatchObject(UNKNOWN);
  });
});

describe('GetCRL', () => {
  const crlOf = ({ keys, certificate }: Device): Uint8Array => {
    const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
    const tbs = buildTbsCertList({
      signatureAlgorithm: algorithm,
      issuer: certificate.subject,
      thisUpdateMs: NOW.getTime(),
      nextUpdateMs: NOW.getTime() + 1_000,
      crlNumber: 1,
      authorityKeyIdentifier: Uint8Array.of(1),
      entries: [],
    });
    const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: tbs });
    return assembleCrl(tbs, { algorithm, signature });
  };

  it("returns the authority's CRL, but only for the authority's certificates", async () => {
    const crl = crlOf(issuer);
    ports.state.crl = crl;
    expect(await ask('GetCRL', named(device))).toEqual({ status: 'success', certificates: [], crls: [crl] });
    await expect(ask('GetCRL', named(sameNumber))).rejects.toMatchObject({
      failInfo: 'badCertId',
      message: 'The certificate was not issued by the authority of this profile.',
    });
  });

  it.each<[string, Partial<ServedScepProfile>]>([
    ['does not publish one', {}],
    ['was removed', { raProfile: { ...RA_PROFILE, authorityUuid: undefined } }],
    ['is unknown without an RA profile', { raProfile: undefined }],
  ])('does not return a CRL if the authority %s', async (what, settings) => {
    if (what !== 'does not publish one') ports.state.crl = crlOf(issuer);
    await expect(ask('GetCRL', named(device), settings)).rejects.toMatchObject({
      failInfo: 'badCertId',
      message: 'The authority of this profile does not publish a CRL.',
    });
  });
});

describe('a lookup', () => {
  it.each([
    ['GetCert', Buffer.from('garbage')],
    ['GetCert', Buffer.from('3000', 'hex')],
    ['GetCRL', Buffer.from('garbage')],
    ['GetCRL', Buffer.alloc(0)],
  ] as const)('with %s is rejected if its content is not an issuer and serial number', async (type, content) => {
    await expect(ask(type, content)).rejects.toMatchObject({
      failInfo: 'badRequest',
      message: expect.stringMatching(/^The encrypted content cannot be read/),
    });
  });
});
