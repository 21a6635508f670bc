// Other ACME servers, set up as their documentation describes, with the names and challenges of the benchmark.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import type { AcmeServer, Targets } from '../acme-load.ts';
import { findProgram, freePort, runProgram } from './programs.ts';

export interface PeerSetup {
  readonly directory: string;
  readonly targets: Targets;
  /** Folder of the programs; default: the PATH. */
  readonly programs?: string | undefined;
  readonly core?: number;
}

type Peer = AcmeServer & { stop(): Promise<void> };

/** Starts step-ca with its own database, one ACME provisioner and a P-256 intermediate CA. */
export async function startStepCa({ directory, targets, programs: folder, core }: PeerSetup): Promise<Peer> {
  const place = join(directory, 'step-ca');
  mkdirSync(place);
  const password = join(place, 'password');
  writeFileSync(password, 'benchmark');
  const environment = { STEPPATH: place };
  const step = findProgram('step', { folder, module: 'github.com/smallstep/cli/cmd/step' });
  const program = findProgram('step-ca', { folder, module: 'github.com/smallstep/certificates/cmd/step-ca' });
  const port = await freePort();
  const run = (...args: string[]) =>
    execFileSync(step, ['ca', ...args], { env: { ...process.env, ...environment }, stdio: 'ignore' });
  run(
    'init',
    '--name',
    'Benchmark',
    '--dns',
    '127.0.0.1',
    '--address',
    `127.0.0.1:${port}`,
    '--provisioner',
    'admin',
    '--password-file',
    password,
    '--provisioner-password-file',
    password,
    '--deployment-type',
    'standalone',
  );
  run('provisioner', 'add', 'acme', '--type', 'ACME');
  const directoryUrl = `https://127.0.0.1:${port}/acme/acme/directory`;
  const running = await runProgram(
    [
      program,
      '--password-file',
      password,
      // Required by step-ca to fetch challenges from a different port.
      '--insecure',
      '--resolver',
      `${targets.dns.address}:${targets.dns.port}`,
      '--acme-http-port',
      String(targets.http.port),
      join(place, 'config', 'ca.json'),
    ],
    { directory: place, core, environment, isReady: () => answers(directoryUrl) },
  );
  const ca = readFileSync(join(place, 'certs', 'root_ca.crt'));
  return { directoryUrl, ca, pid: running.pid, stop: () => running.stop() };
}

/** Starts Pebble, an in-memory test server, without its artificial delays and nonce rejections. */
export async function startPebble({ directory, targets, programs: folder, core }: PeerSetup): Promise<Peer> {
  const place = join(directory, 'pebble');
  mkdirSync(place);
  const program = findProgram('pebble', { folder, module: 'github.com/letsencrypt/pebble/v2/cmd/pebble' });
  const [port, managementPort] = [await freePort(), await freePort()];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-days',
      '30',
    ],
    { cwd: place, stdio: 'ignore' },
  );
  const settings = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: 'cert.pem',
    privateKey: 'key.pem',
    httpPort: targets.http.port,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    retryAfter: { authz: 1, order: 1 },
  };
  writeFileSync(join(place, 'pebble.json'), JSON.stringify({ pebble: settings }));
  const directoryUrl = `https://127.0.0.1:${port}/dir`;
  const running = await runProgram(
    [program, '-config', 'pebble.json', '-dnsserver', `${targets.dns.address}:${targets.dns.port}`],
    {
      directory: place,
      core,
      environment: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' },
      isReady: () => answers(directoryUrl),
    },
  );
  return { directoryUrl, ca: readFileSync(join(place, 'cert.pem')), pid: running.pid, stop: () => running.stop() };
}

/** Whether a server responds at the URL; its certificate is verified by the clients. */
const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    // ACME clients must send a User-Agent (RFC 8555 §6.1).
    get(url, { rejectUnauthorized: false, headers: { 'user-agent': 'benchmark' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).once('error', () => resolve(false));
  });
