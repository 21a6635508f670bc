// A key store on a machine: read with its octets, and changed so that everything else in it stays.
import { rejected } from '@signetry/connector-sdk';
import { equalBytes, isPkiError, parseCertificate, type Certificate } from '@signetry/pki';
import {
  hasSameKey,
  readKeyStore,
  storedAlias,
  writeKeyStore,
  type KeyStore,
  type KeyStoreEntry,
} from '@signetry/pki/node';
import { changeFiles, type FileChange } from '../locations/change-files.ts';
import type { Site } from '../locations/location-kind.ts';
import { PREVIOUS } from '../locations/read-location.ts';
import { MachineError, type Machine } from '../machines/machine.ts';
import { KEY_STORE, type KeyStoreWish } from './key-store-form.ts';

/** Whole paths on the machine. */
export interface StorePaths {
  readonly store: string;
  readonly previous: string;
  /** A store of keys that wait for their certificates, so that the server is not disturbed meanwhile. */
  readonly waiting: string;
}

const WAITING = '.new';

export async function pathsOf(machine: Machine, { path }: KeyStoreWish): Promise<StorePaths> {
  const store = await machine.locate(path);
  return { store, previous: `${store}${PREVIOUS}`, waiting: `${store}${WAITING}` };
}

export interface StoreFile {
  readonly path: string;
  /** Undefined when there is no file. */
  readonly bytes: Uint8Array | undefined;
  readonly content: KeyStore;
}

/** A store without entries when there is no file. Refuses what does not open. */
export async function readStore(machine: Machine, path: string, { type, password }: KeyStoreWish): Promise<StoreFile> {
  const bytes = await machine.read(path);
  if (!bytes) return { path, bytes, content: { type, entries: [], others: [] } };
  try {
    return { path, bytes, content: await readKeyStore(bytes, { type, password }) };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw error.code === 'wrong-password'
      ? rejected(`The password (${KEY_STORE.password}) does not open ${path}, or the file is damaged.`)
      : rejected(`${path} cannot be read as ${type}: ${error.message}`);
  }
}

/** The same for a store that need not open: one without entries then. */
export async function readStoreIfOpen(machine: Machine, path: string, wish: KeyStoreWish): Promise<StoreFile> {
  try {
    return await readStore(machine, path, wish);
  } catch (error) {
    if (error instanceof MachineError) throw error;
    return { path, bytes: undefined, content: { type: wish.type, entries: [], others: [] } };
  }
}

const isNamed = (alias: string): ((entry: KeyStoreEntry) => boolean) => {
  const name = alias.toLowerCase();
  return (entry) => entry.alias.toLowerCase() === name;
};

/** Refuses a name that several entries have: nobody knows which one is meant. */
export function findEntry({ path, content }: StoreFile, alias: string): KeyStoreEntry | undefined {
  const [entry, ...others] = content.entries.filter(isNamed(alias));
  if (others.length > 0) throw rejected(`${path} has several entries with the name ${alias}; rename all but one.`);
  return entry;
}

/** The store with another entry in place of that with the name, or with none; behind the others when it is new. */
export function withEntry({ content }: StoreFile, alias: string, entry: KeyStoreEntry | undefined): KeyStore {
  const { entries } = content;
  const at = entries.findIndex(isNamed(alias));
  const changed =
    at < 0 ? [...entries, ...(entry ? [entry] : [])] : entries.toSpliced(at, 1, ...(entry ? [entry] : []));
  return { ...content, entries: changed };
}

/** Puts the store in place of the one that was read, with its rights where the location names no others. */
export async function replaceStore(
  { access, reload, now }: Site,
  wish: KeyStoreWish,
  { file, content }: { readonly file: StoreFile; readonly content: KeyStore },
): Promise<void> {
  const rights = file.bytes && (await access.machine.rights(file.path));
  const change: FileChange = {
    path: file.path,
    bytes: await writeKeyStore(content, { password: wish.password, now }),
    mode: wish.mode ?? rights?.mode ?? 0o600,
    owner: wish.owner ?? rights?.owner,
    madeFrom: { bytes: file.bytes },
  };
  const verify = (machine: Machine) => requireStored(machine, wish, { path: file.path, content });
  await changeFiles(access, { changes: [change], verify, reload });
}

/** Opens the store again and finds every entry under the name by which Java looks it up. */
async function requireStored(
  machine: Machine,
  wish: KeyStoreWish,
  { path, content }: Pick<StoreFile, 'path' | 'content'>,
): Promise<void> {
  const { entries } = (await readStore(machine, path, wish)).content;
  const missing = content.entries.find((wanted) => {
    // Names that differ only in case stay as they are.
    const isAlone = content.entries.filter(isNamed(wanted.alias)).length === 1;
    const alias = isAlone ? storedAlias(wish.type, wanted.alias) : wanted.alias;
    return !entries.some((entry) => entry.alias === alias && holdsSame(entry, wanted, wish.password));
  });
  if (missing) throw new MachineError(`${path} does not hold the entry ${missing.alias} as it was written`);
}

/** The chain of a PKCS#12 entry is what the store has of it, which may be more. */
function holdsSame(entry: KeyStoreEntry, wanted: KeyStoreEntry, password: string): boolean {
  const has = (der: Uint8Array): boolean => entry.chain.some((each) => equalBytes(each, der));
  const [leaf, wantedLeaf] = [entry.chain[0], wanted.chain[0]];
  const isLeaf = leaf && wantedLeaf ? equalBytes(leaf, wantedLeaf) : leaf === wantedLeaf;
  return isLeaf && wanted.chain.every(has) && hasSameKey(entry, wanted, password);
}

/** The keys that wait are for nobody but the one who writes them; without any there is no file. */
export async function writeWaiting(
  { access: { machine }, now }: Site,
  wish: KeyStoreWish,
  { path, content }: { readonly path: string; readonly content: KeyStore },
): Promise<void> {
  const beside = `${path}.part`;
  await machine.remove(beside); // of a change that was cut off
  if (content.entries.length === 0) return machine.remove(path);
  await machine.write(beside, await writeKeyStore(content, { password: wish.password, now }), 0o600);
  await machine.rename(beside, path);
  await machine.flushNames(path);
  await requireStored(machine, wish, { path, content });
}

/** Undefined where it cannot be parsed: what Java takes may be refused here. */
export function certificateOf(der: Uint8Array | undefined): Certificate | undefined {
  if (!der) return undefined;
  try {
    return parseCertificate(der);
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
