// Measures the codec: operations per CPU-second on one thread. Prints a table for people and, as the last line, JSON for tools.
// Run: node packages/pki/bench/codec.ts [seconds per measurement]
import { cpus } from 'node:os';
import {
  assembleCertificate,
  assembleCertificationRequest,
  assembleCrl,
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildCertificationRequestInfo,
  buildName,
  buildOcspResponseData,
  assembleOcspResponse,
  buildCertId,
  buildOcspRequest,
  buildTbsCertificate,
  buildTbsCertList,
  certIdMatchesIssuer,
  crlDistributionPointsExtension,
  defaultSignatureAlgorithm,
  describeCertificate,
  extKeyUsageExtension,
  findRevoked,
  generateSerialNumber,
  issuerHashes,
  keyIdentifier,
  keyUsageExtension,
  lintTbsCertificate,
  OID,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  parseOcspRequest,
  parsePublicKey,
  revokedEntries,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  validatePath,
  verifyCertificationRequest,
} from '../src/index.ts';
import { createNodeCrypto, generateKeyPair, nodeCrypto } from '../src/node/index.ts';
import type { KeySpec } from '../src/node/index.ts';

interface Measurement {
  readonly name: string;
  readonly perCpuSecond: number;
  readonly cpuMs: number;
  readonly goal: number | undefined;
}

const measureMs = Number(process.argv[2] ?? 1) * 1000;
const ROUNDS = 3;
const results: Measurement[] = [];

/** Runs for a while, three times, and keeps the median: the machine has other work. */
function measure(name: string, run: () => unknown, goal?: number): void {
  const warmUntil = performance.now() + measureMs / 3;
  while (performance.now() < warmUntil) run();
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    const until = performance.now() + measureMs / ROUNDS;
    let count = 0;
    do {
      run();
      count++;
    } while (count % 16 !== 0 || performance.now() < until);
    const { user, system } = process.cpuUsage(start);
    rates.push(count / ((user + system) / 1e6));
  }
  const rate = rates.sort((a, b) => a - b)[1] ?? 0;
  results.push({ name, perCpuSecond: Math.round(rate), cpuMs: 1000 / rate, goal });
}

async function authority(spec: KeySpec) {
  const { privateKey, spki } = await generateKeyPair(spec);
  const key = parsePublicKey(spki);
  const algorithm = defaultSignatureAlgorithm(key);
  const keyId = keyIdentifier(key, nodeCrypto.digest);
  const name = buildName([
    { type: 'C', value: 'DE' },
    { type: 'O', value: 'Signetry' },
    { type: 'CN', value: `Bench Root ${spec}` },
  ]);
  const sign = (data: Uint8Array) => ({ algorithm, signature: nodeCrypto.sign(privateKey, { algorithm, data }) });
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: Date.now() - 60_000,
    notAfterMs: Date.now() + 3600_000,
    spki,
    extensions: [
      basicConstraintsExtension({ ca: true }),
      keyUsageExtension(['keyCertSign', 'cRLSign']),
      subjectKeyIdentifierExtension(keyId),
    ],
  });
  return { algorithm, keyId, name, sign, spki, certificate: parseCertificate(assembleCertificate(tbs, sign(tbs))) };
}

const ca = await authority('P-256');
const leaf = await generateKeyPair('P-256');
const leafKeyId = keyIdentifier(parsePublicKey(leaf.spki), nodeCrypto.digest);
const subject = buildName([{ type: 'CN', value: 'www.example.com' }]);

function leafTbs(issuer: Awaited<ReturnType<typeof authority>>): Uint8Array {
  return buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: issuer.algorithm,
    issuer: issuer.name,
    subject,
    notBeforeMs: Date.now() - 60_000,
    notAfterMs: Date.now() + 3_000_000,
    spki: leaf.spki,
    extensions: [
      basicConstraintsExtension({ ca: false }),
      keyUsageExtension(['digitalSignature']),
      extKeyUsageExtension([OID.serverAuth, OID.clientAuth]),
      subjectAltNameExtension([
        { kind: 'dNSName', value: 'www.example.com' },
        { kind: 'dNSName', value: 'example.com' },
      ]),
      subjectKeyIdentifierExtension(leafKeyId),
      authorityKeyIdentifierExtension(issuer.keyId),
      crlDistributionPointsExtension(['http://pki.example.com/crl/root.crl']),
      authorityInfoAccessExtension({
        ocsp: ['http://pki.example.com/ocsp/root'],
        caIssuers: ['http://pki.example.com/ca/root.crt'],
      }),
    ],
  });
}

const tbs = leafTbs(ca);
const leafDer = assembleCertificate(tbs, ca.sign(tbs));
const leafCertificate = parseCertificate(leafDer);
measure(
  'certificate: parse and describe all listed fields',
  () => describeCertificate(parseCertificate(leafDer)),
  50_000,
);
measure('certificate: parse the frame only', () => parseCertificate(leafDer));
measure('certificate: build, without signing', () => leafTbs(ca));
measure(
  'certificate: build and sign, P-256',
  () => {
    const octets = leafTbs(ca);
    return assembleCertificate(octets, ca.sign(octets));
  },
  10_000,
);
const mlDsa = await authority('ML-DSA-65');
measure('certificate: build and sign, ML-DSA-65', () => {
  const octets = leafTbs(mlDsa);
  return assembleCertificate(octets, mlDsa.sign(octets));
});
measure('certificate: lint before signing', () => lintTbsCertificate(tbs, { issuer: ca.certificate }));
measure('path: validate leaf and root, P-256', () =>
  validatePath([leafCertificate, ca.certificate], { nowMs: Date.now(), verify: nodeCrypto.verify }),
);

const algorithm = ca.algorithm;
const csrInfo = buildCertificationRequestInfo({
  subject,
  spki: leaf.spki,
  extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: 'www.example.com' }])],
});
const csr = assembleCertificationRequest(csrInfo, {
  algorithm,
  signature: nodeCrypto.sign(leaf.privateKey, { algorithm, data: csrInfo }),
});
measure('request: parse', () => parseCertificationRequest(csr));
measure('request: parse and verify, P-256', () =>
  verifyCertificationRequest(parseCertificationRequest(csr), nodeCrypto.verify),
);

const revoked = Array.from({ length: 10_000 }, (_, index) => ({
  serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
  revocationMs: Date.now() - index * 1000,
  reason: index % 2 === 0 ? ('keyCompromise' as const) : ('superseded' as const),
}));
function crl(): Uint8Array {
  const octets = buildTbsCertList({
    signatureAlgorithm: algorithm,
    issuer: ca.name,
    thisUpdateMs: Date.now(),
    nextUpdateMs: Date.now() + 86_400_000,
    crlNumber: 1n,
    authorityKeyIdentifier: ca.keyId,
    entries: revoked,
  });
  return assembleCrl(octets, ca.sign(octets));
}
const crlDer = crl();
measure('CRL of 10,000 entries: build and sign', crl, 10);
measure(
  'CRL of 10,000 entries: parse and walk all',
  () => {
    let count = 0;
    for (const entry of revokedEntries(parseCrl(crlDer))) count += entry.reason === undefined ? 0 : 1;
    return count;
  },
  10,
);
measure('CRL of 10,000 entries: parse and look one up', () =>
  findRevoked(parseCrl(crlDer), leafCertificate.serialBytes),
);

const hashes = issuerHashes(ca.certificate, { digestName: 'sha1', digest: nodeCrypto.digest });
const certId = buildCertId(hashes, leafCertificate.serialBytes);
const ocspRequest = buildOcspRequest({ certIds: [certId], nonce: nodeCrypto.randomBytes(32) });
measure('OCSP: parse request, match issuer, build and sign response, P-256', () => {
  const request = parseOcspRequest(ocspRequest);
  const [asked] = request.certIds;
  if (asked === undefined || !certIdMatchesIssuer(asked, hashes))
    throw new Error('The request does not match its issuer.');
  const octets = buildOcspResponseData({
    responderId: { keyHash: ca.keyId },
    producedAtMs: Date.now(),
    responses: [{ certId: asked.der, certStatus: { status: 'good' }, thisUpdateMs: Date.now() }],
    ...(request.nonce && { nonce: request.nonce }),
  });
  return assembleOcspResponse(octets, ca.sign(octets));
});

const machine = {
  node: process.version,
  openssl: process.versions.openssl,
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
};
console.log(`${machine.node}, OpenSSL ${machine.openssl}, ${machine.cpu} (${machine.cores} cores)\n`);
for (const { name, perCpuSecond, cpuMs, goal } of results) {
  const verdict = goal === undefined ? '' : perCpuSecond >= goal ? `  goal ${goal}: reached` : `  goal ${goal}: MISSED`;
  console.log(`${name.padEnd(68)}${String(perCpuSecond).padStart(9)}/s ${cpuMs.toFixed(4).padStart(10)} ms${verdict}`);
}
console.log(JSON.stringify({ machine, results }));
