// Checks a whole inventory against all built-in certificate rules. The certificates are issued by an external CA, each
// for a different key. The rules alone are measured in this process, everything else on a running platform.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Client } from '@signetry/client';
import type { ComplianceRunDto } from '@signetry/contract';
import { parseCertificate } from '@signetry/pki';
import { CERTIFICATE_RULES, findingsOnCertificate } from '@signetry/pki/lint';
import type { Database } from '@signetry/server/database';
import { inDatabaseOf } from './database-of-server.ts';
import { createExternalCertificates } from './external-certificates.ts';
import type { BenchmarkReport, Figure } from './report.ts';
import { cpuSeconds, cpuSecondsByProgram, peakMemoryMiB, startServerProcess } from './server-process.ts';

/** Number of certificates for measuring the rules alone. */
const SAMPLE = 5_000;

export async function benchCompliance(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 100_000);
  const key = options.get('key') ?? 'P-256';
  const directory = mkdtempSync(join(tmpdir(), 'signetry-bench-'));
  const spkiOf = keysOf(key);
  const foreign = await createExternalCertificates({ revoked: 1, spkiOf });
  const core = options.get('core');
  const profile = options.get('cpu-profile');
  const server = await startServerProcess({
    directory,
    args: ['--egress-allowed-hosts', '127.0.0.1'],
    ...(core === undefined ? {} : { core: Number(core) }),
    ...(profile === undefined ? {} : { environment: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` } }),
  });
  try {
    const client = createClient({ baseUrl: server.ready.api, token: server.ready.token });
    await foreign.upload(client);
    const raProfileUuid = await ownRaProfile(client);
    const profileUuid = await profileOfAllRules(client, raProfileUuid);
    const figures: Figure[] = [];
    await inDatabaseOf(directory, async (database) => {
      await foreign.fill(database, certificates - 1);
      await database.query(`UPDATE certificate SET ra_profile_uuid = $1 WHERE common_name LIKE 'host-%'`, [
        raProfileUuid,
      ]);
      await database.query('VACUUM (ANALYZE)');
      figures.push(await figureOfRules(database, key));
    });
    for (const name of ['first run', 'next run']) {
      const before = cpuSeconds(server.ready.pid);
      const ofDatabase = cpuSecondsByProgram(server.ready.pid, 'postgres');
      const started = performance.now();
      const run = await checkAll(client, profileUuid);
      const seconds = (performance.now() - started) / 1000;
      const cpu = cpuSeconds(server.ready.pid) - before;
      const database = cpuSecondsByProgram(server.ready.pid, 'postgres') - ofDatabase;
      figures.push(
        { name: `${name}, time`, value: seconds, unit: 's', goal: certificates === 100_000 ? '<= 60' : '' },
        { name: `${name}, certificates per CPU-second`, value: run.processed / cpu, unit: '/s' },
        { name: `${name}, share of the database`, value: (database / cpu) * 100, unit: '%' },
        { name: `${name}, compliant`, value: run.compliant, unit: '' },
        { name: `${name}, not compliant`, value: run.notCompliant, unit: '' },
      );
    }
    figures.push({ name: 'peak memory of the server process', value: peakMemoryMiB(server.ready.pid), unit: 'MiB' });
    return {
      name: `Compliance of ${certificates.toLocaleString('en')} certificates with ${key} by ${CERTIFICATE_RULES.length} rules`,
      figures,
    };
  } finally {
    await server.stop();
    foreign.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Returns a generator of distinct public keys. An RSA modulus is any number without small factors, because it never
 * signs.
 */
function keysOf(key: string): () => Uint8Array {
  if (key === 'P-256')
    return () =>
      new Uint8Array(generateKeyPairSync('ec', { namedCurve: key }).publicKey.export({ type: 'spki', format: 'der' }));
  const bits = Number(/^RSA-(\d+)$/.exec(key)?.[1] ?? 0);
  if (bits === 0) throw new Error('--key must be P-256, RSA-2048, RSA-3072 or RSA-4096.');
  const sample = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey;
  const spki = sample.export({ type: 'spki', format: 'der' });
  const own = Buffer.from(sample.export({ format: 'jwk' }).n ?? '', 'base64url');
  const place = spki.indexOf(own);
  return () => {
    const made = Uint8Array.from(spki);
    made.set(modulusOf(own.length), place);
    return made;
  };
}

const SMALL_PRIMES = Array.from({ length: 750 }, (_, index) => index + 3).filter((n) =>
  Array.from({ length: n - 2 }, (_, index) => index + 2).every((d) => n % d !== 0),
);
const PRODUCT = SMALL_PRIMES.reduce((product, prime) => product * BigInt(prime), 1n);

function modulusOf(octets: number): Uint8Array {
  for (;;) {
    const made = randomBytes(octets);
    made[0] = (made[0] ?? 0) | 0x80;
    made[octets - 1] = (made[octets - 1] ?? 0) | 1;
    const rest = BigInt(`0x${made.toString('hex')}`) % PRODUCT;
    if (SMALL_PRIMES.every((prime) => rest % BigInt(prime) !== 0n)) return made;
  }
}

/** Certificates per second on one thread, parsed from DER and checked against every rule. */
async function figureOfRules(database: Database, key: string): Promise<Figure> {
  const rows = await database.query<{ der: Buffer }>(
    `SELECT der FROM certificate JOIN certificate_content USING (fingerprint) WHERE common_name LIKE 'host-%' LIMIT ${SAMPLE}`,
  );
  const evaluateAll = (): void => {
    for (const { der } of rows) findingsOnCertificate(parseCertificate(der));
  };
  evaluateAll(); // Warm-up.
  const before = process.cpuUsage();
  evaluateAll();
  const { user, system } = process.cpuUsage(before);
  return {
    name: 'rules only, certificates per CPU-second',
    value: (rows.length * 1e6) / (user + system),
    unit: '/s',
    goal: key === 'P-256' ? '>= 8,000' : '',
  };
}

async function ownRaProfile(client: Client): Promise<string> {
  const standard = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  if (!standard?.authorityInstanceUuid) throw new Error('RA profile `default` not found.');
  const params = { authorityUuid: standard.authorityInstanceUuid };
  return (await client.raProfiles.createRaProfile({ params, body: { name: 'bench', attributes: [] } })).uuid;
}

async function profileOfAllRules(client: Client, associationObjectUuid: string): Promise<string> {
  const connectors = await client.connectors.listConnectors({ query: { functionGroup: 'complianceProviderV2' } });
  const connectorUuid = connectors.find(({ name }) => name === 'x509-rules')?.uuid ?? '';
  const query = { connectorUuid, kind: 'x509', resource: 'certificates' as const };
  const groups = (await client.complianceProfiles.getComplianceGroupsV2({ query })).map(({ uuid }) => uuid);
  const { uuid } = await client.complianceProfiles.createComplianceProfileV2({
    body: { name: 'all rules', providerRules: [{ connectorUuid, kind: 'x509', groups }] },
  });
  const params = { uuid, resource: 'raProfiles' as const, associationObjectUuid };
  await client.complianceProfiles.associateComplianceProfileV2({ params });
  return uuid;
}

async function checkAll(client: Client, profileUuid: string): Promise<ComplianceRunDto> {
  await client.compliance.checkComplianceV2({ body: [profileUuid], query: {} });
  const [begun] = (await client.complianceRuns.listComplianceRuns({ query: {} })).runs;
  if (!begun) throw new Error('The check did not start.');
  for (;;) {
    const run = await client.complianceRuns.getComplianceRun({ params: { runUuid: begun.uuid } });
    if (run.state === 'finished') return run;
    await delay(250);
  }
}
