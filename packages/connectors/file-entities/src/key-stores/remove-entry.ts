// Removes a certificate from a key store: deletes its entry or restores the one from the previous store. Does nothing
// if the certificate is not there.
import { readString, rejected } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import type { KeyStoreEntry } from '@signetry/pki/node';
import type { Site } from '../locations/location-kind.ts';
import { fingerprintOf, METADATA } from '../locations/location-metadata.ts';
import { publicKeyOf } from './entry-key.ts';
import type { KeyStoreSpec } from './key-store-form.ts';
import { KEY_STORE_METADATA } from './key-store-metadata.ts';
import {
  findEntry,
  pathsOf,
  readStore,
  readStoreIfOpen,
  replaceStore,
  withEntry,
  writePending,
  type StorePaths,
} from './store-file.ts';

export async function removeEntry(
  site: Site,
  wish: KeyStoreSpec,
  metadata: readonly MetadataAttribute[],
): Promise<void> {
  const alias = readString(metadata, KEY_STORE_METADATA.alias);
  const fingerprint = readString(metadata, METADATA.fingerprint);
  const waiting = readString(metadata, METADATA.waitingKey);
  if ((alias === undefined || fingerprint === undefined) && waiting === undefined)
    throw rejected(
      `The metadata specifies neither an entry (${KEY_STORE_METADATA.alias}, ${METADATA.fingerprint}) nor a pending key.`,
    );
  const paths = await pathsOf(site.access.machine, wish);
  if (waiting !== undefined) await removePending(site, wish, { path: paths.waiting, fingerprint: waiting });
  if (alias !== undefined && fingerprint !== undefined)
    await removeCertificate(site, wish, { paths, alias, fingerprint });
}

async function removePending(
  site: Site,
  wish: KeyStoreSpec,
  { path, fingerprint }: { readonly path: string; readonly fingerprint: string },
): Promise<void> {
  const file = await readStoreIfOpen(site.access.machine, path, wish);
  const hasFingerprint = (entry: KeyStoreEntry): boolean => {
    const spki = publicKeyOf(entry, wish.password);
    return spki !== undefined && fingerprintOf(spki) === fingerprint;
  };
  const entries = file.content.entries.filter((entry) => !hasFingerprint(entry));
  if (entries.length === file.content.entries.length) return;
  await writePending(site, wish, { path, content: { ...file.content, entries } });
}

async function removeCertificate(
  site: Site,
  wish: KeyStoreSpec,
  { paths, alias, fingerprint }: { paths: StorePaths; alias: string; fingerprint: string },
): Promise<void> {
  const { machine } = site.access;
  const file = await readStore(machine, paths.store, wish);
  const previous = findEntry(await readStoreIfOpen(machine, paths.previous, wish), alias);
  const hasFingerprint = (entry: KeyStoreEntry | undefined): boolean =>
    entry?.chain[0] !== undefined && fingerprintOf(entry.chain[0]) === fingerprint;
  const restored = wish.onRemoval === 'restore' ? previous : undefined;
  if (hasFingerprint(findEntry(file, alias))) {
    if (wish.onRemoval === 'restore' && (!restored?.key || restored.chain.length === 0))
      throw rejected(
        `Cannot restore the previous entry: ${paths.previous} has no certificate with its key under the alias ${alias}. Set the location to delete the entry instead.`,
      );
    await replaceStore(site, wish, { file, content: withEntry(file, alias, restored) });
  } else if (!hasFingerprint(previous) || wish.onRemoval === 'restore') {
    return; // An interrupted removal leaves it there.
  }
  // The previous store contains the key of the removed certificate.
  await machine.remove(paths.previous);
}
