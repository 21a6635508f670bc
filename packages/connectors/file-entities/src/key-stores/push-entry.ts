// Pushes a certificate into a key store: with the pending key, its entry's key, or the key kept in the previous store.
// Under an alias without a key, the certificate is stored as a trusted certificate.
import { rejected } from '@signetry/connector-sdk';
import type { PushCertificateResponseDto } from '@signetry/contract';
import { equalBytes, readCertificate, type Certificate } from '@signetry/pki';
import { storedAlias, type KeyStoreEntry, type KeyStoreKey } from '@signetry/pki/node';
import { chainOf, knownChainOf } from '../locations/chain.ts';
import type { CertificatePush, Site } from '../locations/location-kind.ts';
import { readOrReject } from '../problems.ts';
import { publicKeyOf } from './entry-key.ts';
import { readAlias, type KeyStoreSpec } from './key-store-form.ts';
import { entryMetadata } from './key-store-metadata.ts';
import {
  certificateOf,
  findEntry,
  pathsOf,
  readStore,
  readStoreIfOpen,
  replaceStore,
  withEntry,
  writePending,
  type StoreFile,
  type StorePaths,
} from './store-file.ts';

export async function pushEntry(
  site: Site,
  wish: KeyStoreSpec,
  { certificate: text, pushAttributes }: CertificatePush,
): Promise<PushCertificateResponseDto> {
  const { machine } = site.access;
  const alias = readAlias(pushAttributes);
  const certificate = await readOrReject('The certificate', () => readCertificate(text));
  const paths = await pathsOf(machine, wish);
  const stores: Stores = {
    present: await readStore(machine, paths.store, wish),
    waiting: await readStoreIfOpen(machine, paths.waiting, wish),
    readPrevious: () => readStoreIfOpen(machine, paths.previous, wish),
  };
  const { key, isNew, attributes, kept } = await keyFor(stores, { alias, certificate, wish, paths });
  const known = [...stores.present.content.entries.flatMap((each) => each.chain), ...kept];
  const chain = key ? chainFor(certificate, known, wish) : [];
  const entry: KeyStoreEntry = {
    alias: storedAlias(wish.type, findEntry(stores.present, alias)?.alias ?? alias),
    key,
    chain: [certificate, ...chain].map(({ der }) => der),
    isTrusted: key === undefined,
    createdMs: undefined,
    attributes,
  };
  await replaceStore(site, wish, { file: stores.present, content: withEntry(stores.present, alias, entry) });
  // The key is already in place, so a failure to remove the second copy, which has the same permissions, is ignored.
  if (isNew) {
    const rest = { path: paths.waiting, content: withEntry(stores.waiting, alias, undefined) };
    await writePending(site, wish, rest).catch(() => undefined);
  }
  const withKey = key !== undefined;
  return { certificateMetadata: entryMetadata({ alias: entry.alias, withKey, certificate, chain }), withKey };
}

interface Stores {
  readonly present: StoreFile;
  readonly waiting: StoreFile;
  /** Called only if the other stores have no matching key: opening a store is slow. */
  readonly readPrevious: () => Promise<StoreFile>;
}

interface EntryKey {
  /** Undefined for a certificate without a key. */
  readonly key: KeyStoreKey | undefined;
  readonly isNew: boolean;
  readonly attributes: readonly Uint8Array[];
  /** Chain of the key in the previous store, in DER. */
  readonly kept: readonly Uint8Array[];
}

interface EntryToPush {
  readonly alias: string;
  readonly certificate: Certificate;
  readonly wish: KeyStoreSpec;
  readonly paths: StorePaths;
}

/** Returns the key that matches the certificate; a server with any other key would not restart. */
async function keyFor(stores: Stores, wanted: EntryToPush): Promise<EntryKey> {
  const { alias, certificate, wish, paths } = wanted;
  const matchesCertificate = (entry: KeyStoreEntry): boolean => {
    const spki = publicKeyOf(entry, wish.password);
    return spki !== undefined && equalBytes(spki, certificate.spki);
  };
  const waiting = findEntry(stores.waiting, alias);
  if (waiting && matchesCertificate(waiting)) return { ...waiting, isNew: true, kept: [] };
  const present = findEntry(stores.present, alias);
  if (present && matchesCertificate(present)) return { ...present, isNew: false, kept: [] };
  const previous = findEntry(await stores.readPrevious(), alias);
  if (previous && matchesCertificate(previous)) return { ...previous, isNew: false, kept: previous.chain };
  if (!waiting && !present?.key) return { key: undefined, isNew: false, attributes: [], kept: [] };
  throw rejected(
    `The certificate matches neither the key under the alias ${alias} in ${paths.store} nor a pending key in ${paths.waiting} or a previous key in ${paths.previous}. Issue it in the location, which generates a key first, or choose a different alias.`,
  );
}

function chainFor(
  certificate: Certificate,
  ders: readonly Uint8Array[],
  { issuers, needsChain }: KeyStoreSpec,
): Certificate[] {
  const known = [...issuers, ...ders.map((der) => certificateOf(der)).filter((each) => each !== undefined)];
  return needsChain ? chainOf(certificate, known) : (knownChainOf(certificate, known) ?? []);
}
