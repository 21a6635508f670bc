// Logged certificates: a precertificate, the content that the log signs, and the resulting certificate.
import {
  assembleCertificate,
  buildName,
  buildTbsCertificate,
  generateSerialNumber,
  parseNameText,
  signatureAlgorithm,
  subjectAltNameExtension,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';

export interface LoggedPair {
  readonly precertificate: Uint8Array;
  readonly tbs: Uint8Array;
  readonly certificate: Uint8Array;
}

/** RFC 6962 §3.1. */
const POISON = { oid: '1.3.6.1.4.1.11129.2.4.3', critical: true, value: Uint8Array.of(5, 0) };
const DAY_MS = 86_400_000;

export async function createLoggedAuthority(subject = 'CN=Logged Root') {
  const keys: KeyPair = await generateKeyPair('P-256');
  const leaf = await generateKeyPair('P-256');
  const algorithm = signatureAlgorithm('SHA256withECDSA');
  const issuer = buildName(parseNameText(subject));
  const tbsOf = (
    name: string,
    extensions: Parameters<typeof buildTbsCertificate>[0]['extensions'],
    serial: Uint8Array,
  ) =>
    buildTbsCertificate({
      serialNumber: serial,
      signatureAlgorithm: algorithm,
      issuer,
      subject: buildName(parseNameText(name)),
      notBeforeMs: DAY_MS * 20_000,
      notAfterMs: DAY_MS * 30_000,
      spki: name === subject ? keys.spki : leaf.spki,
      extensions,
    });
  const signed = (tbs: Uint8Array): Uint8Array =>
    assembleCertificate(tbs, { algorithm, signature: nodeCrypto.sign(keys.privateKey, { algorithm, data: tbs }) });
  const serial = (): Uint8Array => generateSerialNumber(nodeCrypto.randomBytes);
  return {
    der: signed(tbsOf(subject, [], serial())),
    issue(...dnsNames: string[]): LoggedPair {
      const names = subjectAltNameExtension(dnsNames.map((value) => ({ kind: 'dNSName', value })));
      const [name, number] = [`CN=${dnsNames[0] ?? ''}`, serial()];
      const tbs = tbsOf(name, [names], number);
      return { tbs, certificate: signed(tbs), precertificate: signed(tbsOf(name, [names, POISON], number)) };
    },
  };
}
