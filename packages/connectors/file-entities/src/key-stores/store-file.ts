// A key store on a machine. Its original bytes are retained, and a change preserves all other content.
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
import { KEY_STORE, type KeyStoreSpec } from './key-store-form.ts';

/** Absolute paths on the machine. */
export interface StorePaths {
  readonly store: string;
  readonly previous: string;
  /** Separate store for pending keys, so that the server is not affected in the meantime. */
  readonly waiting: string;
}

const WAITING = '.new';

export async function pathsOf(machine: Machine, { path }: KeyStoreSpec): Promise<StorePaths> {
  const store = await machine.locate(path);
  return { store, previous: `${store}${PREVIOUS}`, waiting: `${store}${WAITING}` };
}

export interface StoreFile {
  readonly path: string;
  /** Undefined if there is no file. */
  readonly bytes: Uint8Array | undefined;
  readonly content: KeyStore;
}

/** Returns a store without entries if there is no file. Rejects stores that cannot be opened. */
export async function readStore(machine: Machine, path: string, { type, password }: KeyStoreSpec): Promise<StoreFile> {
  const bytes = await machine.read(path);
  if (!bytes) return { path, bytes, content: { type, entries: [], others: [] } };
  try {
    return { path, bytes, content: await readKeyStore(bytes, { type, password }) };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw error.code === 'wrong-password'
      ? rejected(`Cannot open ${path}: the password (${KEY_STORE.password}) is wrong, or the file is damaged.`)
      : rejected(`Cannot read ${path} as ${type}: ${error.message}`);
  }
}

/** Like `readStore`, but also returns a store without entries if the store cannot be opened. */
export async function readStoreIfOpen(machine: Machine, path: string, wish: KeyStoreSpec): Promise<StoreFile> {
  try {
    return await readStore(machine, path, wish);
  } catch (error) {
    if (error instanceof MachineError) throw error;
    return { path, bytes: undefined, content: { type: wish.type, entries: [], others: [] } };
  }
}

const hasAlias = (alias: string): ((entry: KeyStoreEntry) => boolean) => {
  const name = alias.toLowerCase();
  return (entry) => entry.alias.toLowerCase() === name;
};

/** Rejects an alias that more than one entry has. */
export function findEntry({ path, content }: StoreFile, alias: string): KeyStoreEntry | undefined {
  const [entry, ...others] = content.entries.filter(hasAlias(alias));
  if (others.length > 0) throw rejected(`${path} has multiple entries with the alias ${alias}; rename all but one.`);
  return entry;
}

/**
 * Returns the store with the entry under the alias replaced, or removed if `entry` is undefined. A new entry is added
 * at the end.
 */
export function withEntry({ content }: StoreFile, alias: string, entry: KeyStoreEntry | undefined): KeyStore {
  const { entries } = content;
  const at = entries.findIndex(hasAlias(alias));
  const changed =
    at < 0 ? [...entries, ...(entry ? [entry] : [])] : entries.toSpliced(at, 1, ...(entry ? [entry] : []));
  return { ...content, entries: changed };
}

/** Replaces the store that was read, keeping its permissions unless the location specifies others. */
export async function replaceStore(
  { access, reload, now }: Site,
  wish: KeyStoreSpec,
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

/** Reopens the store and checks that it contains every entry under the alias by which Java looks it up. */
async function requireStored(
  machine: Machine,
  wish: KeyStoreSpec,
  { path, content }: Pick<StoreFile, 'path' | 'content'>,
): Promise<void> {
  const { entries } = (await readStore(machine, path, wish)).content;
  const missing = content.entries.find((wanted) => {
    // Aliases that differ only in case are left unchanged.
    const isAlone = content.entries.filter(hasAlias(wanted.alias)).length === 1;
    const alias = isAlone ? storedAlias(wish.type, wanted.alias) : wanted.alias;
    return !entries.some((entry) => entry.alias === alias && isSameEntry(entry, wanted, wish.password));
  });
  if (missing) throw new MachineError(`${path} does not contain the entry ${missing.alias} as it was written`);
}

/** A PKCS #12 entry's chain is built from all certificates in the store, so it can be longer. */
function isSameEntry(entry: KeyStoreEntry, wanted: KeyStoreEntry, password: string): boolean {
  const has = (der: Uint8Array): boolean => entry.chain.some((each) => equalBytes(each, der));
  const [leaf, wantedLeaf] = [entry.chain[0], wanted.chain[0]];
  const isLeaf = leaf && wantedLeaf ? equalBytes(leaf, wantedLeaf) : leaf === wantedLeaf;
  return isLeaf && wanted.chain.every(has) && hasSameKey(entry, wanted, password);
}

/** Writes the pending keys, accessible only to the user who writes them. Removes the file if there are none. */
export async function writePending(
  { access: { machine }, now }: Site,
  wish: KeyStoreSpec,
  { path, content }: { readonly path: string; readonly content: KeyStore },
): Promise<void> {
  const beside = `${path}.part`;
  await machine.remove(beside); // An interrupted change may have left this file.
  if (content.entries.length === 0) return machine.remove(path);
  await machine.write(beside, await writeKeyStore(content, { password: wish.password, now }), 0o600);
  await machine.rename(beside, path);
  await machine.flushNames(path);
  await requireStored(machine, wish, { path, content });
}

/** Returns undefined if the certificate cannot be parsed: Java accepts some that are rejected here. */
export function certificateOf(der: Uint8Array | undefined): Certificate | undefined {
  if (!der) return undefined;
  try {
    return parseCertificate(der);
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
