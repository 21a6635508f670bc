// Contents of a location's files.
import { parseCertificate, readPem, equalBytes, type Certificate } from '@signetry/pki';
import { exportPublicKey, importPrivateKey } from '@signetry/pki/node';
import type { KeyObject } from 'node:crypto';
import { rejected } from '@signetry/connector-sdk';
import { MachineError, type Machine } from '../machines/machine.ts';
import { readOrReject } from '../problems.ts';
import type { LocationSpec } from './location-form.ts';

/** Absolute paths on the machine. */
export interface LocationFiles {
  readonly key: string;
  /** Path of the pending key. */
  readonly waitingKey: string;
  readonly certificate: string | undefined;
  readonly chain: string | undefined;
  readonly fullChain: string | undefined;
}

export const PREVIOUS = '.previous';
const WAITING = '.new';

export async function filesOf(machine: Machine, wish: LocationSpec): Promise<LocationFiles> {
  const locate = (path: string | undefined) => (path === undefined ? undefined : machine.locate(path));
  const key = await machine.locate(wish.keyFile);
  return {
    key,
    waitingKey: `${key}${WAITING}`,
    certificate: await locate(wish.certificateFile),
    chain: await locate(wish.chainFile),
    fullChain: await locate(wish.fullChainFile),
  };
}

export interface LocationContent {
  readonly certificate: Certificate | undefined;
  readonly chain: readonly Certificate[];
  /** Undefined if there is no key or it cannot be read, e.g. because it is encrypted. */
  readonly keySpki: Uint8Array | undefined;
}

/** Rejects files that do not contain certificates; `ending` selects the kept files instead. */
export async function readLocation(
  machine: Machine,
  files: LocationFiles,
  ending: '' | typeof PREVIOUS = '',
): Promise<LocationContent> {
  const certificatesIn = async (path: string | undefined): Promise<Certificate[]> =>
    path === undefined ? [] : readCertificates(machine, `${path}${ending}`);
  const [alone] = await certificatesIn(files.certificate);
  const [first, ...rest] = await certificatesIn(files.fullChain);
  const chain = await certificatesIn(files.chain);
  const certificate = alone ?? first;
  if (alone && first && !equalBytes(alone.der, first.der))
    throw rejected(`${files.certificate} and ${files.fullChain} contain different certificates; push one to both.`);
  const key = await readKey(machine, `${files.key}${ending}`).catch(unreadableKey);
  return { certificate, chain: chain.length > 0 ? chain : rest, keySpki: key && exportPublicKey(key) };
}

/** For `catch`: an encrypted or damaged key counts as no key; a machine failure is rethrown. */
export function unreadableKey(error: unknown): undefined {
  if (error instanceof MachineError) throw error;
}

async function readCertificates(machine: Machine, path: string): Promise<Certificate[]> {
  const bytes = await machine.read(path);
  if (!bytes) return [];
  return readOrReject(`Cannot read a certificate from ${path}`, () =>
    readPem(new TextDecoder().decode(bytes))
      .filter(({ label }) => label.endsWith('CERTIFICATE'))
      .map(({ der }) => parseCertificate(der)),
  );
}

/** Returns undefined if there is no file. Rejects files that do not contain a key, and encrypted keys. */
export async function readKey(machine: Machine, path: string): Promise<KeyObject | undefined> {
  const bytes = await machine.read(path);
  if (!bytes) return undefined;
  try {
    return await readOrReject(path, () => importPrivateKey(bytes));
  } finally {
    bytes.fill(0);
  }
}
