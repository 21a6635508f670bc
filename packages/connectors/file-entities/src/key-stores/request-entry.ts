// Makes a key for an entry, or uses the one that is there, and a request that is signed with it. A new key waits in a
// store beside, under the same name.
import { rejected } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { exportPublicKey, generateKeyPair, keyStoreEntry } from '@signetry/pki/node';
import type { MadeCsr, Site } from '../locations/location-kind.ts';
import { waitingKeyMetadata } from '../locations/location-metadata.ts';
import { signRequest } from '../locations/make-request.ts';
import { privateKeyOf } from './entry-key.ts';
import { aliasField, type KeyStoreWish } from './key-store-form.ts';
import type { KeyStoreRequest } from './key-store-request-form.ts';
import { findEntry, pathsOf, readStore, readStoreIfOpen, withEntry, writeWaiting } from './store-file.ts';

/** A key that waited under the name is replaced: its certificate can no longer be pushed. */
export async function requestEntry(
  site: Site,
  wish: KeyStoreWish,
  { request, renewal }: { readonly request: KeyStoreRequest; readonly renewal: boolean },
): Promise<MadeCsr> {
  const { machine } = site.access;
  const { alias, spec, algorithm, keepKey } = request;
  const paths = await pathsOf(machine, wish);
  const present = await readStore(machine, paths.store, wish);
  const entry = findEntry(present, alias);
  if (entry && !entry.key)
    throw rejected(`${present.path} has a certificate without a key under the name ${alias}; choose another name.`);
  const pushAttributes = [aliasValue(alias)];
  if (renewal && keepKey) {
    const key = privateKeyOf(entry, { alias, password: wish.password });
    return { der: await signRequest(key, request, algorithm), metadata: [], pushAttributes };
  }
  const { privateKey } = await generateKeyPair(spec);
  const der = await signRequest(privateKey, request, algorithm);
  const waiting = await readStoreIfOpen(machine, paths.waiting, wish);
  const content = withEntry(waiting, alias, keyStoreEntry(alias, privateKey, []));
  await writeWaiting(site, wish, { path: paths.waiting, content });
  return { der, metadata: [waitingKeyMetadata([exportPublicKey(privateKey)])], pushAttributes };
}

function aliasValue(alias: string): RequestAttributeDto {
  const { uuid, name } = aliasField();
  return { uuid, name, contentType: 'string', content: [{ reference: alias, data: alias }] };
}
