// `signetry discover`: shows the certificates that hosts serve, without a platform. Uses the scanner of the built-in
// discovery provider; `--store` imports the results into the inventory.
import { ImportBatch, type FilePiece } from '@signetry/client';
import type { ScanPlan, ScanResult, StartTlsProtocol } from '@signetry/network-discovery/scan';
import { describeCertificate, parseCertificate, writePem, type CertificateDescription } from '@signetry/pki';
import { sendPieces } from '../certificates/send-pieces.ts';
import { command, type Flags, type FlagValues } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/flag-values.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { renderTable, type Column, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

const PROTOCOLS = [
  'smtp',
  'imap',
  'pop3',
  'ldap',
  'postgresql',
  'mysql',
  'ftp',
  'xmpp',
] as const satisfies readonly StartTlsProtocol[];

const flags = {
  ports: { value: 'PORTS', initial: '443', about: 'Comma-separated ports and ranges: 443,8000-8100,2525/smtp' },
  starttls: {
    value: 'PROTOCOL',
    choices: [...PROTOCOLS, 'none'],
    about: 'STARTTLS protocol for ports that do not specify one; by default, determined by the port number',
  },
  'server-name': { value: 'NAME', many: true, about: 'Also connect to each host with this server name (SNI)' },
  timeout: { value: 'SECONDS', initial: '5', about: 'Timeout per connection' },
  parallel: { value: 'NUMBER', initial: '50', about: 'Concurrent connections' },
  rate: { value: 'NUMBER', initial: '200', about: 'New connections per second' },
  all: { about: 'Also show hosts that serve no certificate, with the reason' },
  store: { about: 'Import the certificates found into the inventory of the platform' },
  ...connectionFlags,
} as const satisfies Flags;

export const discover = command({
  name: 'discover',
  about: 'Scan hosts and show the certificates that they serve; no platform is needed',
  arguments: [
    { name: 'HOST', about: 'host name, IP address, network (10.0.0.0/24) or range (10.0.0.1-50)', many: true },
  ],
  flags,
  details: [
    'Connects from this machine to each host and port, and shows the certificates that they serve, valid or not: nothing is verified. --json prints complete chains as sent.',
    'Scan only networks that you are authorized to scan. The exit code is 1 if no certificates are found.',
  ],
  examples: [
    'signetry discover www.example.com',
    'signetry discover 10.0.0.0/24 --ports 443,8443,25/smtp',
    'signetry discover mail.example.com --ports 25,143,5432 --json',
    'signetry discover 10.0.0.0/24 --store',
  ],
  async run({ args, flags: given, json }, context) {
    const scanner = await import('@signetry/network-discovery/scan');
    const plan = planOf(scanner, args, given);
    const results = await scan(scanner, { plan, given, context });
    const found = results.flatMap(endpointsOf);
    if (json) printJson(context, found.map(withPem));
    else printEndpoints(found, { context, showAll: given.all });
    if (given.store) await store(found, given, context);
    return found.some(({ chain }) => chain.length > 0) ? EXIT.ok : EXIT.failed;
  },
});

type Scanner = typeof import('@signetry/network-discovery/scan');
type GivenFlags = FlagValues<typeof flags>;

function planOf(scanner: Scanner, words: readonly string[], given: GivenFlags): ScanPlan {
  const { createPlan, MAX_TARGETS, parseHosts, parsePorts } = scanner;
  const hosts = parseHosts(words.join(','));
  // The value is always one of the choices.
  const begin = given.starttls === 'none' ? 'tls' : (given.starttls as StartTlsProtocol | undefined);
  const ports = parsePorts(given.ports, begin);
  const [problem] = [...hosts.problems, ...ports.problems.map((each) => `--ports: ${each}`)];
  if (problem !== undefined) throw usageError(problem);
  const plan = createPlan({ hosts: hosts.hosts, ports: ports.ports, serverNames: given['server-name'] });
  if (plan.total === 0 || plan.total > MAX_TARGETS)
    throw usageError(`A scan must have 1 to ${MAX_TARGETS} targets; these hosts and ports form ${plan.total}.`);
  return plan;
}

/** Maximum number of targets without certificates to keep. Targets with certificates are always kept. */
const MAX_SHOWN_FAILURES = 10_000;

async function scan(
  { Politeness, runScan }: Scanner,
  { plan, given, context }: { readonly plan: ScanPlan; readonly given: GivenFlags; readonly context: Context },
): Promise<readonly ScanResult[]> {
  const parallel = parseWholeNumber('--parallel', { text: given.parallel, min: 1, max: 1_000 });
  const ratePerSecond = parseWholeNumber('--rate', { text: given.rate, min: 1, max: 10_000 });
  const timeoutMs = parseWholeNumber('--timeout', { text: given.timeout, min: 1, max: 60 }) * 1000;
  const results = new Map<number, ScanResult>();
  let [done, failures] = [0, 0];
  await runScan({
    plan,
    parallel,
    options: {
      timeoutMs,
      politeness: new Politeness({ ratePerSecond, parallelPerHost: parallel, ratePerHost: ratePerSecond }),
      signal: context.signal,
    },
    onResult(number, result) {
      done += 1;
      if (result.served.length === 0) failures += 1;
      if (result.served.length > 0 || failures <= MAX_SHOWN_FAILURES) results.set(number, result);
      if (done % 20 === 0 || done === plan.total)
        context.status?.(`${count(done)} of ${count(plan.total)} targets, ${count(done - failures)} with certificates`);
    },
  });
  context.status?.('');
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}

/** Chain that an endpoint serves, or the reason why it serves none; also the format of the `--json` output. */
interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly address?: string;
  readonly serverName?: string | undefined;
  readonly startTls?: string | undefined;
  readonly protocol?: string;
  readonly cipher?: string | undefined;
  readonly problem?: string;
  readonly chain: readonly Uint8Array[];
}

function endpointsOf({ target, served, failures }: ScanResult): readonly Endpoint[] {
  const { host, port, serverName, startTls } = target;
  return [
    ...served.map(({ address, protocol, cipher, chain }) => ({
      host,
      port,
      address,
      serverName,
      startTls,
      protocol,
      cipher,
      chain,
    })),
    ...failures.map(({ message }) => ({ host, port, serverName, startTls, problem: message, chain: [] })),
  ];
}

const withPem = (endpoint: Endpoint) => ({
  ...endpoint,
  chain: endpoint.chain.map((der) => ({ ...factsOf(der), pem: writePem('CERTIFICATE', der) })),
});

function factsOf(der: Uint8Array) {
  const facts = describeIfReadable(der);
  if (!facts) return {};
  return {
    subject: facts.subjectDn,
    issuer: facts.issuerDn,
    serialNumber: facts.serialNumber,
    notBefore: new Date(facts.notBeforeMs).toISOString(),
    notAfter: new Date(facts.notAfterMs).toISOString(),
    subjectAlternativeNames: facts.subjectAlternativeNames,
  };
}

/** Returns undefined for certificates that OpenSSL can parse but this library cannot; they still count as served. */
function describeIfReadable(der: Uint8Array): CertificateDescription | undefined {
  try {
    return describeCertificate(parseCertificate(der));
  } catch {
    return undefined;
  }
}

interface Row {
  readonly endpoint: string;
  readonly name: string;
  readonly until: string;
  readonly untilTone: Tone | undefined;
  readonly issuer: string;
  readonly protocol: string;
}

function printEndpoints(
  found: readonly Endpoint[],
  { context, showAll }: { context: Context; showAll: boolean },
): void {
  const { colour, width } = context;
  const shown = showAll ? found : found.filter(({ chain }) => chain.length > 0);
  const now = context.now();
  if (shown.length > 0)
    context.out(
      renderTable(
        shown.map((each) => rowOf(each, now)),
        { columns, colour, width },
      ),
    );
  const silent = found.filter(({ chain }) => chain.length === 0);
  const hint = silent.length > 0 && !showAll ? ' Use --all to show them.' : '';
  context.err(`${count(found.length - silent.length)} with certificates, ${count(silent.length)} without.${hint}`);
}

const columns: readonly Column<Row>[] = [
  { title: 'Endpoint', isWhole: true, text: ({ endpoint }) => endpoint },
  { title: 'Certificate', text: ({ name }) => name },
  { title: 'Valid until', text: ({ until }) => until, tone: ({ untilTone }) => untilTone },
  { title: 'Issuer', text: ({ issuer }) => issuer },
  { title: 'TLS', isMinor: true, text: ({ protocol }) => protocol },
];

function rowOf({ host, port, serverName, address, chain, protocol = '', problem = '' }: Endpoint, now: number): Row {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const as = serverName === undefined || serverName === host ? '' : ` as ${serverName}`;
  const at = address === undefined || address === host ? '' : ` (${address})`;
  const [der] = chain;
  const facts = der && describeIfReadable(der);
  if (!facts)
    return { endpoint: place + as + at, name: problem, until: '', untilTone: undefined, issuer: '', protocol };
  return {
    endpoint: place + as + at,
    name: facts.commonName ?? facts.subjectAlternativeNames.dNSName?.[0] ?? facts.subjectDn,
    until: describeTime(new Date(facts.notAfterMs).toISOString(), now),
    untilTone: toneOf(facts.notAfterMs, now),
    issuer: facts.issuerCommonName ?? facts.issuerDn,
    protocol,
  };
}

const SOON_MS = 30 * 86_400_000;

function toneOf(notAfterMs: number, now: number): Tone {
  if (notAfterMs < now) return 'bad';
  return notAfterMs < now + SOON_MS ? 'warning' : 'good';
}

async function store(found: readonly Endpoint[], given: GivenFlags, context: Context): Promise<void> {
  const pems = new Map(
    found.flatMap(({ chain, host, port }) => chain.map((der) => [writePem('CERTIFICATE', der), `${host}:${port}`])),
  );
  if (pems.size === 0) return;
  const connection = await connect(given, context);
  const batch = new ImportBatch();
  const counts = { imported: 0, known: 0, refused: 0 };
  const send = async (pieces: readonly FilePiece[]): Promise<void> => {
    if (pieces.length === 0) return;
    const report = await sendPieces(pieces, { connection, context });
    counts.imported += report.imported;
    counts.known += report.known;
    counts.refused += report.refused;
  };
  for (const [content, name] of pems) await send(batch.add({ name, content, blocksBefore: 0, offset: 0 }));
  await send(batch.take());
  context.err(
    `${count(counts.imported)} imported, ${count(counts.known)} already known, ${count(counts.refused)} rejected.`,
  );
}

const count = (number: number): string => number.toLocaleString('en');
