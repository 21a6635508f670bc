// An SSH connection to a host whose key is known or about to be stored.
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { lookup } from 'node:dns/promises';
import { rejected, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import type { Client, SFTPWrapper } from 'ssh2';
import type { SshSecrets } from '../entities/entity-form.ts';

export interface SshTarget {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly secrets: SshSecrets;
  /** The only accepted key; if undefined, any key is accepted. */
  readonly hostKey: string | undefined;
}

export interface SshConnection {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
  /** `SHA256:` and unpadded Base64, as printed by OpenSSH. */
  readonly hostKey: string;
  isLost(): boolean;
}

const READY_MS = 10_000;
const KEEPALIVE_MS = 5_000;
/** Excludes ssh-rsa, which signs with SHA-1. */
const HOST_KEY_ALGORITHMS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

export const nameOf = ({ host, port }: Pick<SshTarget, 'host' | 'port'>): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

export async function connect(
  target: SshTarget,
  { resolveHost }: Pick<ConnectorContext, 'resolveHost'>,
): Promise<SshConnection> {
  const { default: ssh2 } = await import('ssh2');
  const address = await resolveAddress(target, resolveHost);
  const key = readKey(target, ssh2.utils.parseKey);
  const client = new ssh2.Client();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let seen: string | undefined;
  let isLost = false;
  client
    // Each request waits for the previous response: Nagle's algorithm would add 40 ms to each.
    .on('connect', () => void client.setNoDelay(true))
    .on('ready', () => resolve())
    .on('error', (error) => reject(rejectionFor(error, { target, seen })))
    .on('close', () => {
      isLost = true;
      reject(unavailable(`${nameOf(target)} closed the connection.`));
    })
    .on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(() => target.secrets.password ?? '')),
    );
  client.connect({
    host: address,
    port: target.port,
    username: target.username,
    ...(target.secrets.password === undefined ? {} : { password: target.secrets.password, tryKeyboard: true }),
    ...key,
    readyTimeout: READY_MS,
    keepaliveInterval: KEEPALIVE_MS,
    algorithms: { serverHostKey: [...HOST_KEY_ALGORITHMS] },
    hostVerifier: (shown: Buffer) => {
      seen = fingerprintOf(shown);
      return target.hostKey === undefined || target.hostKey === seen;
    },
  });
  try {
    await promise;
    const sftp = await openSftp(client, target);
    return { client, sftp, hostKey: seen ?? '', isLost: () => isLost };
  } catch (error) {
    client.end();
    throw error;
  }
}

async function resolveAddress(
  { host, port }: SshTarget,
  resolveHost: ConnectorContext['resolveHost'],
): Promise<string> {
  try {
    const [first] = resolveHost ? await resolveHost(host, port) : [await lookup(host)];
    return first?.address ?? host;
  } catch (error) {
    throw rejected(
      error instanceof Error && !('code' in error) ? error.message : `The host name ${host} cannot be resolved.`,
    );
  }
}

function readKey(
  { secrets: { privateKey, passphrase } }: SshTarget,
  parseKey: (text: string, passphrase?: string) => object | Error,
): { readonly privateKey?: string; readonly passphrase?: string } {
  if (privateKey === undefined) return {};
  const parsed = parseKey(privateKey, passphrase);
  if (!(parsed instanceof Error)) return passphrase === undefined ? { privateKey } : { privateKey, passphrase };
  const isClosed = /passphrase|encrypted|bad decrypt|integrity/i.test(parsed.message);
  throw rejected(
    isClosed
      ? 'The SSH private key is encrypted, and the passphrase is missing or wrong.'
      : 'Cannot read the SSH private key. Enter the complete file, including the first and last line.',
  );
}

function openSftp(client: Client, target: SshTarget): Promise<SFTPWrapper> {
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>();
  client.sftp((error, sftp) => {
    if (!error) resolve(sftp);
    else reject(rejected(`${nameOf(target)} does not offer SFTP, which is required to write files.`));
  });
  return promise;
}

function rejectionFor(
  error: Error & { readonly level?: string },
  { target, seen }: { readonly target: SshTarget; readonly seen: string | undefined },
): Error {
  const name = nameOf(target);
  if (target.hostKey !== undefined && seen !== undefined && seen !== target.hostKey)
    return rejected(
      `The host key of ${name} changed: it presents ${seen} instead of ${target.hostKey}. Nothing was sent. If the machine was reinstalled, enter the new fingerprint in the entity.`,
    );
  if (error.level === 'client-authentication')
    return rejected(`${name} rejected the user ${target.username}: the password or key is not accepted.`);
  if (error.level === 'handshake' || error.level === 'protocol')
    return unavailable(`Cannot negotiate an SSH connection with ${name}: ${error.message}.`);
  return unavailable(`Cannot reach ${name} over SSH: ${error.message}.`);
}
