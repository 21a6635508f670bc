// OpenSSH server for tests: on loopback, with its own keys and configuration, for the current user. If that is root,
// the server gets its own mount namespace, with the directory that it needs and a small disk to fill.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';

const SSHD = '/usr/sbin/sshd';
const isRoot = process.getuid?.() === 0;
const hasNamespaces = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0;

/** Reason why the tests cannot run here, or undefined if they can. */
const MISSING = !existsSync(SSHD)
  ? 'no OpenSSH server'
  : isRoot && !hasNamespaces && !existsSync('/run/sshd')
    ? 'no /run/sshd'
    : /nologin|false/.test(userInfo().shell ?? '')
      ? `${userInfo().username} has no shell`
      : undefined;

export const HAS_SSHD = MISSING === undefined;
export const SSHD_NOTE = HAS_SSHD ? '' : ` (skipped: ${MISSING})`;
export const HAS_SMALL_DISK = HAS_SSHD && hasNamespaces;
export const SMALL_DISK_NOTE = HAS_SMALL_DISK ? '' : ' (skipped: only root can give the server a small disk)';

export interface SshServer {
  readonly folder: string;
  readonly port: number;
  readonly username: string;
  /** Private key of the user, in OpenSSH format. */
  readonly privateKey: string;
  /** Fingerprint of the host key. */
  readonly fingerprint: string;
  /** Directory on the server with 64 KiB of space. */
  readonly smallDisk: string;
  /** Restarts the server at the same address with a different host key. */
  again(): Promise<SshServer>;
  stop(): Promise<void>;
}

/**
 * Generates a valid SSH key. About one in several hundred keys from `ssh2` is malformed, since it drops leading zeros.
 */
export function makeSshKey(options?: {
  readonly passphrase: string;
  readonly cipher: string;
  readonly rounds: number;
}) {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', options);
    if (!(ssh2.utils.parseKey(pair.private, options?.passphrase) instanceof Error)) return pair;
  }
}

export async function startSshServer(): Promise<SshServer> {
  const folder = await mkdtemp(join(tmpdir(), 'signetry-sshd-'));
  const user = makeSshKey();
  await writeFile(join(folder, 'authorized_keys'), user.public);
  const smallDisk = join(folder, 'small');
  await mkdir(smallDisk);
  const port = await freePort();
  return start({ folder, port, privateKey: user.private, username: userInfo().username, smallDisk });
}

async function start(
  facts: Pick<SshServer, 'folder' | 'port' | 'username' | 'privateKey' | 'smallDisk'>,
): Promise<SshServer> {
  const { folder, port, smallDisk } = facts;
  const host = makeSshKey();
  await writeFile(join(folder, 'host'), host.private, { mode: 0o600 });
  const configuration = join(folder, 'sshd_config');
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'Subsystem sftp internal-sftp',
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  const serve = `exec ${SSHD} -D -e -f ${configuration}`;
  const prepare = `mount -t tmpfs tmpfs /run && mkdir /run/sshd && mount -t tmpfs -o size=64k tmpfs ${smallDisk}`;
  const child = hasNamespaces
    ? spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-c', `${prepare} && ${serve}`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    : spawn('sh', ['-c', serve], { stdio: ['ignore', 'ignore', 'pipe'] });
  await waitUntilListening(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  const blob = Buffer.from(host.public.split(' ')[1] ?? '', 'base64');
  const fingerprint = `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
  return {
    ...facts,
    fingerprint,
    again: async () => {
      await stop();
      return start(facts);
    },
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function waitUntilListening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.includes('Server listening')) resolve();
  });
  child.once('exit', () => reject(new Error(`sshd ended: ${printed}`)));
  return promise;
}
