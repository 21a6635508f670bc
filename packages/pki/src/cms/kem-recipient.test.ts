import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { assembleCertificate, buildTbsCertificate } from '../x509/builder.ts';
import { exportPublicKey, nodeCmsCrypto, recipientKeyOf } from '../node/index.ts';
import { issue, NOW_MS, DAY_MS, type TestEntity } from '../testing/authority.ts';
import { keyIdentifier } from '../x509/extension-parts.ts';
import { openEnvelope, type EnvelopeOpener } from './open-envelope.ts';
import { parseAuthEnvelopedData, parseEnvelopedData, type EnvelopedData } from './enveloped-data.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { parsePublicKey } from '../keys.ts';
import { sealAuthenticatedEnvelope, sealEnvelope } from './seal-envelope.ts';
import { subjectKeyIdentifierExtension } from '../x509/extension-parts.ts';

const CONTENT = new TextEncoder().encode('a private key');

let issuer: TestEntity;
beforeAll(async () => {
  issuer = await issue({ subject: 'CN=Issuer' });
});

interface Holder {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

function holderOf(set: 512 | 768 | 1024): Holder {
  const { privateKey } = generateKeyPairSync(`ml-kem-${set}` as 'ml-kem-768');
  const spki = exportPublicKey(privateKey);
  const tbs = buildTbsCertificate({
    serialNumber: new Uint8Array(16).fill(set % 251),
    signatureAlgorithm: issuer.algorithm,
    issuer: issuer.name,
    subject: issuer.name,
    notBeforeMs: NOW_MS - DAY_MS,
    notAfterMs: NOW_MS + DAY_MS,
    spki,
    extensions: [subjectKeyIdentifierExtension(keyIdentifier(parsePublicKey(spki), nodeCmsCrypto.digest))],
  });
  return { certificate: parseCertificate(assembleCertificate(tbs, issuer.sign(tbs))), privateKey };
}

const openerOf = ({ certificate, privateKey }: Holder): EnvelopeOpener => ({
  certificate,
  key: recipientKeyOf(privateKey),
});
const open = (envelope: EnvelopedData, opener: EnvelopeOpener): Promise<Uint8Array> =>
  openEnvelope(envelope, opener, nodeCmsCrypto);

describe('content encrypted for an ML-KEM key', () => {
  it.each([512, 768, 1024] as const)('ML-KEM-%i is decrypted with the private key only', async (set) => {
    const holder = holderOf(set);
    const recipients = [{ certificate: holder.certificate }];
    const plain = parseEnvelopedData(await sealEnvelope({ content: CONTENT, recipients }, nodeCmsCrypto));
    const authenticated = parseAuthEnvelopedData(
      await sealAuthenticatedEnvelope({ content: CONTENT, recipients }, nodeCmsCrypto),
    );
    expect(plain.recipients).toMatchObject([{ kind: 'kem', keyLength: 32 }]);
    expect(await open(plain, openerOf(holder))).toEqual(CONTENT);
    expect(await open(authenticated, openerOf(holder))).toEqual(CONTENT);
    const stranger = { certificate: holder.certificate, privateKey: holderOf(set).privateKey };
    await expect(open(authenticated, openerOf(stranger))).rejects.toMatchObject({ code: 'cannot-decrypt' });
    await expect(open(plain, openerOf(holderOf(set === 512 ? 768 : 512)))).rejects.toMatchObject({
      code: 'no-recipient',
    });
  });

  it('is rejected for keys of other types, and for unsupported derivations', async () => {
    const holder = holderOf(768);
    const sealed = await sealEnvelope(
      { content: CONTENT, recipients: [{ certificate: holder.certificate, identifiedBy: 'subjectKeyIdentifier' }] },
      nodeCmsCrypto,
    );
    const envelope = parseEnvelopedData(sealed);
    const rsa = recipientKeyOf(generateKeyPairSync('x25519').privateKey);
    await expect(open(envelope, { certificate: holder.certificate, key: rsa })).rejects.toMatchObject({
      code: 'bad-key',
    });
    // The OID of HKDF with SHA-256 ends in 3.28; 3.31 is not assigned.
    const at = Buffer.from(sealed).indexOf(Buffer.from('060b2a864886f70d010910031c', 'hex'));
    const other = parseEnvelopedData(sealed.with(at + 12, 0x1f));
    await expect(open(other, openerOf(holder))).rejects.toThrow(
      'Key derivation 1.2.840.113549.1.9.16.3.31 is not supported for KEM recipients. Use HKDF with SHA-2.',
    );
    await expect(open(envelope, openerOf(holder))).resolves.toEqual(CONTENT);
  });
});
