// What is in the files of a location.
import { parseCertificate, readPem, equalBytes, type Certificate } from '@signetry/pki';
import { exportPublicKey, importPrivateKey } from '@signetry/pki/node';
import type { KeyObject } from 'node:crypto';
import { rejected } from '@signetry/connector-sdk';
import { MachineError, type Machine } from '../machines/machine.ts';
import { readOrReject } from '../problems.ts';
import type { LocationWish } from './location-form.ts';

/** Whole paths on the machine. */
export interface LocationFiles {
  readonly key: string;
  /** Where a key waits for its certificate. */
  readonly waitingKey: string;
  readonly certificate: string | undefined;
  readonly chain: string | undefined;
  readonly fullChain: string | undefined;
}

export const PREVIOUS = '.previous';
const WAITING = '.new';

export async function filesOf(machine: Machine, wish: LocationWish): Promise<LocationFiles> {
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
  /** Undefined without a key, or with one that cannot be read, e.g. because it is encrypted. */
  readonly keySpki: Uint8Array | undefined;
}

/** Refuses what is there and is no certificate; `ending` reads the kept files instead. */
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
    throw rejected(`${files.certificate} and ${files.fullChain} have different certificates; push one to both.`);
  const key = await readKey(machine, `${files.key}${ending}`).catch(unreadableKey);
  return { certificate, chain: chain.length > 0 ? chain : rest, keySpki: key && exportPublicKey(key) };
}

/** For `catch`: a key that is encrypted or damaged counts as none, a machine that fails does not. */
export function unreadableKey(error: unknown): undefined {
  if (error instanceof MachineError) throw error;
}

async function readCertificates(machine: Machine, path: string): Promise<Certificate[]> {
  const bytes = await machine.read(path);
  if (!bytes) return [];
  return readOrReject(`${path} has no certificate that can be read`, () =>
    readPem(new TextDecoder().decode(bytes))
      .filter(({ label }) => label.endsWith('CERTIFICATE'))
      .map(({ der }) => parseCertificate(der)),
  );
}

/** Undefined when there is no file. Refuses what is no key, or an encrypted one. */
export async function readKey(machine: Machine, path: string): Promise<KeyObject | undefined> {
  const bytes = await machine.read(path);
  if (!bytes) return undefined;
  try {
    return await readOrReject(path, () => importPrivateKey(bytes));
  } finally {
    bytes.fill(0);
  }
}
