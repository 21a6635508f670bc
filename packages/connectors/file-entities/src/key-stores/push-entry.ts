// Puts a certificate into a key store: with the key that waits for it, with the one of its entry, with the one that was
// kept with the previous store, or, under a name without a key, as a certificate that is trusted.
import { rejected } from '@signetry/connector-sdk';
import type { PushCertificateResponseDto } from '@signetry/contract';
import { equalBytes, readCertificate, type Certificate } from '@signetry/pki';
import { storedAlias, type KeyStoreEntry, type KeyStoreKey } from '@signetry/pki/node';
import { chainOf, knownChainOf } from '../locations/chain.ts';
import type { Pushed, Site } from '../locations/location-kind.ts';
import { readOrReject } from '../problems.ts';
import { publicKeyOf } from './entry-key.ts';
import { readAlias, type KeyStoreWish } from './key-store-form.ts';
import { entryMetadata } from './key-store-metadata.ts';
import {
  certificateOf,
  findEntry,
  pathsOf,
  readStore,
  readStoreIfOpen,
  replaceStore,
  withEntry,
  writeWaiting,
  type StoreFile,
  type StorePaths,
} from './store-file.ts';

export async function pushEntry(
  site: Site,
  wish: KeyStoreWish,
  { certificate: text, pushAttributes }: Pushed,
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
  // The server has it in place already; a second copy with the same rights is no reason to report a failure.
  if (isNew) {
    const rest = { path: paths.waiting, content: withEntry(stores.waiting, alias, undefined) };
    await writeWaiting(site, wish, rest).catch(() => undefined);
  }
  const withKey = key !== undefined;
  return { certificateMetadata: entryMetadata({ alias: entry.alias, withKey, certificate, chain }), withKey };
}

interface Stores {
  readonly present: StoreFile;
  readonly waiting: StoreFile;
  /** Only where the others have no key that fits: opening a store takes its time. */
  readonly readPrevious: () => Promise<StoreFile>;
}

interface EntryKey {
  /** Undefined for a certificate without one. */
  readonly key: KeyStoreKey | undefined;
  readonly isNew: boolean;
  readonly attributes: readonly Uint8Array[];
  /** In DER: what the key had in the previous store. */
  readonly kept: readonly Uint8Array[];
}

interface EntryToPush {
  readonly alias: string;
  readonly certificate: Certificate;
  readonly wish: KeyStoreWish;
  readonly paths: StorePaths;
}

/** The key that fits the certificate; a server with another one would not start again. */
async function keyFor(stores: Stores, wanted: EntryToPush): Promise<EntryKey> {
  const { alias, certificate, wish, paths } = wanted;
  const fits = (entry: KeyStoreEntry): boolean => {
    const spki = publicKeyOf(entry, wish.password);
    return spki !== undefined && equalBytes(spki, certificate.spki);
  };
  const waiting = findEntry(stores.waiting, alias);
  if (waiting && fits(waiting)) return { ...waiting, isNew: true, kept: [] };
  const present = findEntry(stores.present, alias);
  if (present && fits(present)) return { ...present, isNew: false, kept: [] };
  const previous = findEntry(await stores.readPrevious(), alias);
  if (previous && fits(previous)) return { ...previous, isNew: false, kept: previous.chain };
  if (!waiting && !present?.key) return { key: undefined, isNew: false, attributes: [], kept: [] };
  throw rejected(
    `The certificate fits neither the key under the name ${alias} in ${paths.store} nor one that waits in ${paths.waiting} or was kept in ${paths.previous}. Issue it in the location, which makes a key first, or choose another name.`,
  );
}

function chainFor(
  certificate: Certificate,
  ders: readonly Uint8Array[],
  { issuers, needsChain }: KeyStoreWish,
): Certificate[] {
  const known = [...issuers, ...ders.map((der) => certificateOf(der)).filter((each) => each !== undefined)];
  return needsChain ? chainOf(certificate, known) : (knownChainOf(certificate, known) ?? []);
}
