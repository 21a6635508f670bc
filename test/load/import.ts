// Import of certificates over REST: parsed, deduplicated, and committed with their histories. The jobs that follow
// (links and validation) start later and are not measured.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assembleCertificate,
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  buildName,
  buildTbsCertificate,
  crlDistributionPointsExtension,
  extKeyUsageExtension,
  generateSerialNumber,
  keyIdentifier,
  keyUsageExtension,
  OID,
  parsePublicKey,
  signatureAlgorithm,
  subjectAltNameExtension,
  subjectKeyIdentifierExtension,
  writePem,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { createClient } from '@signetry/client';
import type { BenchmarkReport } from './report.ts';
import { cpuSeconds, cpuSecondsByProgram, startServerProcess } from './server-process.ts';

/** About 8 MB of PEM. */
const BATCH = 5_000;
/** The certificates share these keys, because generating keys would dominate the setup. */
const KEYS = 50;
const DAY_MS = 86_400_000;

export async function benchImport(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const count = Number(options.get('certificates') ?? 40_000);
  const core = options.get('core');
  const directory = await mkdtemp(join(tmpdir(), 'signetry-bench-'));
  const server = await startServerProcess({ directory, ...(core === undefined ? {} : { core: Number(core) }) });
  try {
    const { api, token, pid } = server.ready;
    const client = createClient({ baseUrl: api, token });
    const make = await certificateMaker();
    const send = async (content: string) =>
      client.certificateImport.importCertificates(
        { body: { files: [{ name: 'bench.pem', content }] } },
        { timeoutMs: 600_000 },
      );
    await send(make(1_000)); // Starts the thread and warms up the code.
    const spent = { wall: 0, all: 0, postgres: 0, imported: 0 };
    let repeated = '';
    for (let done = 0; done < count; done += BATCH) {
      const content = make(Math.min(BATCH, count - done));
      repeated = content;
      const measured = await measure(pid, () => send(content));
      spent.wall += measured.wall;
      spent.all += measured.all;
      spent.postgres += measured.postgres;
      spent.imported += measured.answer.imported;
    }
    const again = await measure(pid, () => send(repeated));
    const micros = (seconds: number, of: number): number => (seconds * 1e6) / of;
    return {
      name: `Import of ${spent.imported.toLocaleString('en')} certificates`,
      figures: [
        { name: 'certificates per CPU-second', value: spent.imported / spent.all, unit: '/s', goal: '>= 6,000' },
        { name: 'certificates per second', value: spent.imported / spent.wall, unit: '/s' },
        { name: 'CPU on the platform', value: micros(spent.all - spent.postgres, spent.imported), unit: 'us each' },
        { name: 'CPU of PostgreSQL', value: micros(spent.postgres, spent.imported), unit: 'us each' },
        { name: 'known certificates per CPU-second', value: again.answer.known / again.all, unit: '/s' },
      ],
      notes: [
        `PEM in requests of ${BATCH.toLocaleString('en')}; P-256, two names, eight extensions, about 700 bytes each.`,
      ],
    };
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function measure<Answer>(pid: number, act: () => Promise<Answer>) {
  const before = { wall: performance.now(), all: cpuSeconds(pid), postgres: cpuSecondsByProgram(pid, 'postgres') };
  const answer = await act();
  return {
    answer,
    wall: (performance.now() - before.wall) / 1000,
    all: cpuSeconds(pid) - before.all,
    postgres: cpuSecondsByProgram(pid, 'postgres') - before.postgres,
  };
}

/** Returns a generator for PEM files with a number of distinct certificates of one CA. */
export async function certificateMaker(): Promise<(count: number) => string> {
  const one = await derMaker();
  return (count) => Array.from({ length: count }, () => writePem('CERTIFICATE', one())).join('');
}

/** Returns a generator for distinct certificates of one CA, in DER. */
export async function derMaker(): Promise<() => Uint8Array> {
  const algorithm = signatureAlgorithm('SHA256withECDSA');
  const ca = await generateKeyPair('P-256');
  const keys = await Promise.all(Array.from({ length: KEYS }, () => generateKeyPair('P-256')));
  const identifiers = keys.map(({ spki }) => keyIdentifier(parsePublicKey(spki), nodeCrypto.digest));
  const issuer = buildName([
    { type: 'C', value: 'CZ' },
    { type: 'O', value: 'Example Holding' },
    { type: 'CN', value: 'Issuing CA 1' },
  ]);
  const shared = [
    keyUsageExtension(['digitalSignature']),
    extKeyUsageExtension([OID.serverAuth]),
    authorityKeyIdentifierExtension(keyIdentifier(parsePublicKey(ca.spki), nodeCrypto.digest)),
    crlDistributionPointsExtension(['http://ca.example/crl']),
    authorityInfoAccessExtension({ ocsp: ['http://ca.example/ocsp'], caIssuers: ['http://ca.example/ca.crt'] }),
  ];
  let made = 0;
  return () => {
    made += 1;
    const key = keys[made % KEYS];
    const identifier = identifiers[made % KEYS];
    if (!key || !identifier) throw new Error('Expected as many identifiers as keys.');
    const host = `host${made}.example.com`;
    const tbs = buildTbsCertificate({
      serialNumber: generateSerialNumber(nodeCrypto.randomBytes),
      signatureAlgorithm: algorithm,
      issuer,
      subject: buildName([
        { type: 'O', value: 'Example Holding' },
        { type: 'CN', value: host },
      ]),
      notBeforeMs: Date.now() - (made % 90) * DAY_MS,
      notAfterMs: Date.now() + (made % 300) * DAY_MS,
      spki: key.spki,
      extensions: [
        ...shared,
        subjectKeyIdentifierExtension(identifier),
        subjectAltNameExtension([host, `www.${host}`].map((value) => ({ kind: 'dNSName', value }) as const)),
      ],
    });
    const signature = nodeCrypto.sign(ca.privateKey, { algorithm, data: tbs });
    return assembleCertificate(tbs, { algorithm, signature });
  };
}
