import { openContentInfo, OID, parseSignedData, readPkcs7, verifySigner } from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { describe, expect, it } from 'vitest';
import { nextCertificate } from './next-certificate.ts';
import { makeDevice, serviceOf } from './testing/scep-messages.ts';

describe('the next certificate', () => {
  it('is returned with its issuers, signed with the current certificate, which is included without its issuers', async () => {
    const issuer = await makeDevice('issuer.example', { ca: true });
    const present = await makeDevice('scep.example', { issuer });
    const next = await makeDevice('scep.example', { issuer, keys: await generateKeyPair('RSA-2048') });
    const octets = await nextCertificate(serviceOf(present, issuer), serviceOf(next, issuer));
    const signed = parseSignedData(openContentInfo(octets, OID.pkcs7SignedData));
    const signer = signed.signers[0] ?? expect.unreachable('nobody signed');
    const { verify, digest } = nodeCrypto;
    const verdictFor = ({ certificate }: typeof present) =>
      verifySigner(signed, signer, { certificate, verify, digest }).valid;
    expect([verdictFor(present), verdictFor(next)]).toEqual([true, false]);
    const hex = (all: readonly Uint8Array[]) => all.map((der) => Buffer.from(der).toString('hex'));
    expect(hex(readPkcs7(signed.content ?? new Uint8Array()))).toEqual(hex([next.der, issuer.der]));
    expect(hex(signed.certificates)).toEqual(hex([present.der]));
  });
});
