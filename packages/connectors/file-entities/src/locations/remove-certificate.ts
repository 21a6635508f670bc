// Removes a certificate from a location: deletes its files or restores the previous ones. Does nothing if the
// certificate is not there.
import { readString, rejected } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { equalBytes } from '@signetry/pki';
import { exportPublicKey } from '@signetry/pki/node';
import type { Machine } from '../machines/machine.ts';
import { changeFiles, type FileChange } from './change-files.ts';
import { fingerprintOf, METADATA } from './location-metadata.ts';
import type { LocationOnMachine } from './push-certificate.ts';
import { filesOf, PREVIOUS, readKey, readLocation, type LocationFiles } from './read-location.ts';

export async function removeCertificate(
  place: LocationOnMachine,
  metadata: readonly MetadataAttribute[],
): Promise<void> {
  const { machine } = place.access;
  const fingerprint = readString(metadata, METADATA.fingerprint);
  const waiting = readString(metadata, METADATA.waitingKey);
  if (fingerprint === undefined && waiting === undefined)
    throw rejected(`The metadata specifies neither a certificate (${METADATA.fingerprint}) nor a pending key.`);
  const files = await filesOf(machine, place.wish);
  if (waiting !== undefined) await removePendingKey(machine, files, waiting);
  if (fingerprint === undefined) return;
  const paths = [files.key, files.certificate, files.chain, files.fullChain].filter((path) => path !== undefined);
  const removePrevious = async (): Promise<void> => {
    for (const path of paths) await machine.remove(`${path}${PREVIOUS}`);
  };
  const { certificate } = await readLocation(machine, files);
  // An interrupted removal may have left the previous files.
  if (!certificate && place.wish.onRemoval === 'delete') await removePrevious();
  if (!certificate || fingerprintOf(certificate.der) !== fingerprint) return;
  const changes = await Promise.all(paths.map((path) => changeOf(place, path, files)));
  if (place.wish.onRemoval === 'restore') await requirePrevious(machine, files);
  await changeFiles(place.access, { changes, reload: place.reload });
  // The previous files include the key of the removed certificate.
  await removePrevious();
}

async function removePendingKey(machine: Machine, files: LocationFiles, fingerprint: string): Promise<void> {
  const key = await readKey(machine, files.waitingKey);
  if (key && fingerprintOf(exportPublicKey(key)) === fingerprint) await machine.remove(files.waitingKey);
}

async function changeOf({ access, wish }: LocationOnMachine, path: string, files: LocationFiles): Promise<FileChange> {
  return {
    path,
    bytes: wish.onRemoval === 'restore' ? await access.machine.read(`${path}${PREVIOUS}`) : undefined,
    mode: path === files.key ? wish.keyMode : wish.certificateMode,
    owner: wish.owner,
  };
}

async function requirePrevious(machine: Machine, files: LocationFiles): Promise<void> {
  const { certificate, keySpki } = await readLocation(machine, files, PREVIOUS);
  if (certificate && keySpki && equalBytes(certificate.spki, keySpki)) return;
  throw rejected(
    `Cannot restore the previous files: there is no previous certificate with its key next to ${files.key}. Set the location to delete its files instead.`,
  );
}
