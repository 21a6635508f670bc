// Uploads designed to be expensive: names against name constraints, and PEM header lines.
import {
  assembleCertificate,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  generateSerialNumber,
  nameConstraintsExtension,
  parseCertificate,
  signatureAlgorithm,
  subjectAltNameExtension,
  type Name,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';

/** All of these are within the upload limits. */
const NAMES = 900;
const DEPTH = 17;
const HEADER_LINES = 1_000_000;

const DAY_MS = 86_400_000;
const algorithm = signatureAlgorithm('SHA256withECDSA');

export async function hostileUploads(): Promise<{ readonly name: string; readonly certificates: string[] }[]> {
  const { root, leaf } = await constrained();
  const lines = `${'X-Header: value\n'.repeat(HEADER_LINES)}`;
  const pem = `-----BEGIN CERTIFICATE-----\n${lines}\n${leaf}\n-----END CERTIFICATE-----\n`;
  return [
    { name: `${NAMES} names against as many name constraints`, certificates: [root, leaf] },
    { name: `PEM with ${HEADER_LINES.toLocaleString('en')} header lines`, certificates: [pem] },
  ];
}

type Key = Awaited<ReturnType<typeof generateKeyPair>>;

/** Creates a root with subtrees and a leaf with names that differ only in their last component. */
async function constrained(): Promise<{ readonly root: string; readonly leaf: string }> {
  const [rootKey, leafKey] = [await generateKeyPair('P-256'), await generateKeyPair('P-256')];
  const rootName = cn('constraints');
  const permitted = [
    directory(cn('leaf')),
    ...Array.from({ length: NAMES }, (_, index) => directory(deepName(`x${index}`))),
    directory(buildName([{ type: 'OU', value: 'é0' }])),
  ];
  const names = Array.from({ length: NAMES }, (_, index) => directory(deepName(`y${index}`)));
  const root = certificate({
    subject: rootName,
    issuer: rootName,
    key: rootKey,
    issuerKey: rootKey,
    extensions: [basicConstraintsExtension({ ca: true }), nameConstraintsExtension({ permitted })],
  });
  const leaf = certificate({
    subject: cn('leaf'),
    issuer: rootName,
    key: leafKey,
    issuerKey: rootKey,
    extensions: [subjectAltNameExtension(names)],
  });
  return { root, leaf };
}

interface CertificateSpec {
  readonly subject: Name;
  readonly issuer: Name;
  readonly key: Key;
  readonly issuerKey: Key;
  readonly extensions: Parameters<typeof buildTbsCertificate>[0]['extensions'];
}

function certificate({ subject, issuer, key, issuerKey, extensions }: CertificateSpec): string {
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer,
    subject,
    notBeforeMs: Date.now() - DAY_MS,
    notAfterMs: Date.now() + 100 * DAY_MS,
    spki: key.spki,
    extensions,
  });
  const der = assembleCertificate(tbs, {
    algorithm,
    signature: nodeCrypto.sign(issuerKey.privateKey, { algorithm, data: tbs }),
  });
  return Buffer.from(parseCertificate(der).der).toString('base64');
}

const cn = (value: string): Name => buildName([{ type: 'CN', value }]);
const directory = (name: Name) => ({ kind: 'directoryName' as const, name });
const deepName = (last: string): Name =>
  buildName([
    ...Array.from({ length: DEPTH }, (_, index) => ({ type: 'OU', value: `é${index}` })),
    { type: 'CN', value: last },
  ]);
