// Measures codec throughput in operations per CPU-second on one thread, so that other load on the machine has little
// effect. Run it alone with: node packages/pki/bench/codec.ts [seconds per figure]. It prints a human-readable table
// and one line of JSON for tools.
import { cpus } from 'node:os';
import {
  assembleCertificate,
  assembleCertificationRequest,
  assembleCrl,
  assembleOcspResponse,
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildCertId,
  buildCertificationRequestInfo,
  buildName,
  buildOcspRequest,
  buildOcspResponseData,
  buildTbsCertificate,
  buildTbsCertList,
  certIdMatchesIssuer,
  certificatePoliciesExtension,
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
  octetStringPart,
  OID,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  parseOcspRequest,
  parsePublicKey,
  readableCertificate,
  revokedEntries,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  validatePath,
  verifyCertificationRequest,
  type Certificate,
  type ExtensionInput,
  type Name,
  type SignatureAlgorithm,
} from '../src/index.ts';
import { CERTIFICATE_RULES, findingsOnCertificate } from '../src/lint/index.ts';
import { createNodeCrypto, generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '../src/node/index.ts';

export interface CodecFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal?: string;
}

interface Task {
  readonly name: string;
  readonly run: () => unknown;
  /** Target, in operations per CPU-second. */
  readonly goal?: number;
}

interface Issuer {
  readonly algorithm: SignatureAlgorithm;
  readonly keyId: Uint8Array;
  readonly name: Name;
  readonly sign: (data: Uint8Array) => { algorithm: SignatureAlgorithm; signature: Uint8Array };
  readonly certificate: Certificate;
}

const ROUNDS = 3;
const CRL_ENTRIES = 10_000;

/** Warms up, runs three times and returns the median. */
function measureCpuRate(run: () => unknown, measureMs: number): number {
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
  return rates.toSorted((a, b) => a - b)[1] ?? Number.NaN;
}

async function createIssuer(spec: KeySpec): Promise<Issuer> {
  const { privateKey, spki } = await generateKeyPair(spec);
  const key = parsePublicKey(spki);
  const algorithm = defaultSignatureAlgorithm(key);
  const keyId = keyIdentifier(key, nodeCrypto.digest);
  const name = buildName([
    { type: 'C', value: 'DE' },
    { type: 'O', value: 'Signetry' },
    { type: 'CN', value: `Bench Root ${spec}` },
  ]);
  const sign: Issuer['sign'] = (data) => ({ algorithm, signature: nodeCrypto.sign(privateKey, { algorithm, data }) });
  const tbs = buildTbsCertificate({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: Date.now() - 60_000,
    notAfterMs: Date.now() + 3_600_000,
    spki,
    extensions: [
      basicConstraintsExtension({ ca: true }),
      keyUsageExtension(['keyCertSign', 'cRLSign']),
      subjectKeyIdentifierExtension(keyId),
    ],
  });
  return { algorithm, keyId, name, sign, certificate: parseCertificate(assembleCertificate(tbs, sign(tbs))) };
}

/** Returns certificate policies and two SCTs (RFC 6962), as public CAs include them. */
function publicExtensions(): readonly ExtensionInput[] {
  const vector = (octets: Uint8Array): Uint8Array => Uint8Array.of(octets.length >> 8, octets.length & 0xff, ...octets);
  const timestamp = (log: number): Uint8Array =>
    vector(
      Uint8Array.of(
        0, ...new Uint8Array(32).fill(log), 0, 0, 1, 0x9b, 0x76, 0xda, 0x80, 0, 0, 0, 4, 3, ...vector(new Uint8Array(71).fill(log)),
      ), // prettier-ignore
    );
  const list = vector(Uint8Array.of(...timestamp(1), ...timestamp(2)));
  return [
    certificatePoliciesExtension([{ oid: '2.23.140.1.2.1', cpsUrl: 'http://pki.example.com/cps' }]),
    { oid: OID.ctSctList, critical: false, part: octetStringPart(list) },
  ];
}

/** Builds the TBSCertificate of a server certificate with the usual eight extensions, plus `more`. */
function leafBuilder(leaf: KeyPair, more: readonly ExtensionInput[] = []): (issuer: Issuer) => Uint8Array {
  const subject = buildName([{ type: 'CN', value: 'www.example.com' }]);
  const keyId = keyIdentifier(parsePublicKey(leaf.spki), nodeCrypto.digest);
  return (issuer) =>
    buildTbsCertificate({
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
        subjectKeyIdentifierExtension(keyId),
        authorityKeyIdentifierExtension(issuer.keyId),
        crlDistributionPointsExtension(['http://pki.example.com/crl/root.crl']),
        authorityInfoAccessExtension({
          ocsp: ['http://pki.example.com/ocsp/root'],
          caIssuers: ['http://pki.example.com/ca/root.crt'],
        }),
        ...more,
      ],
    });
}

async function certificateTasks(): Promise<Task[]> {
  const issuer = await createIssuer('P-256');
  const postQuantum = await createIssuer('ML-DSA-65');
  const leaf = await generateKeyPair('P-256');
  const build = leafBuilder(leaf);
  const issue = (by: Issuer): Uint8Array => {
    const tbs = build(by);
    return assembleCertificate(tbs, by.sign(tbs));
  };
  const der = issue(issuer);
  const publicTbs = leafBuilder(leaf, publicExtensions())(issuer);
  const publicDer = assembleCertificate(publicTbs, issuer.sign(publicTbs));
  const rsaTbs = leafBuilder(await generateKeyPair('RSA-2048'), publicExtensions())(issuer);
  const rsaDer = assembleCertificate(rsaTbs, issuer.sign(rsaTbs));
  const certificate = parseCertificate(der);
  const chain = [certificate, issuer.certificate];
  return [
    {
      name: 'certificate: parse, all listed fields',
      run: () => describeCertificate(parseCertificate(der)),
      goal: 50_000,
    },
    {
      name: 'certificate: parse, each of ten extensions read',
      run: () => readableCertificate(parseCertificate(publicDer)),
      goal: 40_000,
    },
    { name: 'certificate: parse, frame only', run: () => parseCertificate(der) },
    { name: 'certificate: build, unsigned', run: () => build(issuer) },
    { name: 'certificate: build and sign, P-256', run: () => issue(issuer), goal: 10_000 },
    { name: 'certificate: build and sign, ML-DSA-65', run: () => issue(postQuantum) },
    {
      name: 'certificate: lint before signing, errors',
      run: () => lintTbsCertificate(certificate.tbs, { issuer: issuer.certificate, onlyErrors: true }),
    },
    {
      name: 'certificate: lint before signing',
      run: () => lintTbsCertificate(certificate.tbs, { issuer: issuer.certificate }),
    },
    {
      name: `certificate: parse, ${CERTIFICATE_RULES.length} rules, P-256`,
      run: () => findingsOnCertificate(parseCertificate(publicDer), { issuer: issuer.certificate }),
      goal: 8000,
    },
    {
      name: `certificate: parse, ${CERTIFICATE_RULES.length} rules, RSA-2048`,
      run: () => findingsOnCertificate(parseCertificate(rsaDer), { issuer: issuer.certificate }),
      goal: 8000,
    },
    {
      name: 'path of leaf and root, P-256: validate',
      run: () => validatePath(chain, { nowMs: Date.now(), verify: nodeCrypto.verify }),
    },
  ];
}

async function requestTasks(): Promise<Task[]> {
  const { privateKey, spki } = await generateKeyPair('P-256');
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const info = buildCertificationRequestInfo({
    subject: buildName([{ type: 'CN', value: 'www.example.com' }]),
    spki,
    extensions: [subjectAltNameExtension([{ kind: 'dNSName', value: 'www.example.com' }])],
  });
  const signature = nodeCrypto.sign(privateKey, { algorithm, data: info });
  const der = assembleCertificationRequest(info, { algorithm, signature });
  const uncached = createNodeCrypto({ maxCachedKeys: 0 });
  return [
    { name: 'request: parse', run: () => parseCertificationRequest(der) },
    {
      // Each real request has a new key, so this is the figure that matters.
      name: 'request: parse and verify, P-256, new key',
      run: () => verifyCertificationRequest(parseCertificationRequest(der), uncached.verify),
    },
    {
      name: 'request: parse and verify, P-256, known key',
      run: () => verifyCertificationRequest(parseCertificationRequest(der), nodeCrypto.verify),
    },
  ];
}

async function statusTasks(): Promise<Task[]> {
  const issuer = await createIssuer('P-256');
  const entries = Array.from({ length: CRL_ENTRIES }, (_, index) => ({
    serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
    revocationMs: Date.now() - index * 1000,
    reason: index % 2 === 0 ? ('keyCompromise' as const) : ('superseded' as const),
  }));
  const buildCrl = (): Uint8Array => {
    const tbs = buildTbsCertList({
      signatureAlgorithm: issuer.algorithm,
      issuer: issuer.name,
      thisUpdateMs: Date.now(),
      nextUpdateMs: Date.now() + 86_400_000,
      crlNumber: 1n,
      authorityKeyIdentifier: issuer.keyId,
      entries,
    });
    return assembleCrl(tbs, issuer.sign(tbs));
  };
  const crl = buildCrl();
  const serialBytes = issuer.certificate.serialBytes;
  const hashes = issuerHashes(issuer.certificate, { digestName: 'sha1', digest: nodeCrypto.digest });
  const request = buildOcspRequest({
    certIds: [buildCertId(hashes, serialBytes)],
    nonce: nodeCrypto.randomBytes(32),
  });
  // 10 per CPU-second means 100 ms each.
  return [
    { name: 'CRL of 10,000 entries: build and sign', run: buildCrl, goal: 10 },
    { name: 'CRL of 10,000 entries: parse and walk', run: () => [...revokedEntries(parseCrl(crl))].length, goal: 10 },
    { name: 'CRL of 10,000 entries: parse and look one up', run: () => findRevoked(parseCrl(crl), serialBytes) },
    {
      name: 'OCSP: parse request, build and sign response, P-256',
      run: () => {
        const { certIds, nonce } = parseOcspRequest(request);
        const [asked] = certIds;
        if (asked === undefined || !certIdMatchesIssuer(asked, hashes))
          throw new Error('The OCSP request does not match its issuer.');
        const data = buildOcspResponseData({
          responderId: { keyHash: issuer.keyId },
          producedAtMs: Date.now(),
          responses: [{ certId: asked.der, certStatus: { status: 'good' }, thisUpdateMs: Date.now() }],
          ...(nonce && { nonce }),
        });
        return assembleOcspResponse(data, issuer.sign(data));
      },
    },
  ];
}

/** Returns all figures, in operations per CPU-second. */
export async function measureCodec(options: { secondsPerFigure?: number } = {}): Promise<CodecFigure[]> {
  const measureMs = (options.secondsPerFigure ?? 1) * 1000;
  const tasks = [...(await certificateTasks()), ...(await requestTasks()), ...(await statusTasks())];
  return tasks.map(({ name, run, goal }) => {
    const figure = { name, value: Math.round(measureCpuRate(run, measureMs)), unit: 'per CPU-second' };
    return goal === undefined ? figure : Object.assign(figure, { goal: `>= ${goal.toLocaleString('en')}` });
  });
}

if (import.meta.main) {
  const figures = await measureCodec({ secondsPerFigure: Number(process.argv[2] ?? 1) });
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    node: process.versions.node,
    openssl: process.versions.openssl,
  };
  console.log(`Node ${machine.node}, OpenSSL ${machine.openssl}, ${machine.cores} x ${machine.cpu}\n`);
  for (const { name, value, goal = '' } of figures) {
    console.log(`${name.padEnd(54)}${value.toLocaleString('en').padStart(10)} /s  ${goal}`);
  }
  console.log(`\n${JSON.stringify({ name: 'PKI codec', machine, figures })}`);
}
