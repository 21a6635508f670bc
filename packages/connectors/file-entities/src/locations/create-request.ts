// Generates a key for a location, or uses the existing one, and creates a CSR signed with it.
import { rejected } from '@signetry/connector-sdk';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  defaultSignatureAlgorithm,
  parsePublicKey,
  subjectAltNameExtension,
} from '@signetry/pki';
import { exportPrivateKeyPem, exportPublicKey, generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import type { KeyObject } from 'node:crypto';
import { MachineError, type Machine } from '../machines/machine.ts';
import type { LocationSpec } from './location-form.ts';
import { filesOf, readKey, type LocationFiles } from './read-location.ts';
import type { RequestSpec } from './request-form.ts';

export interface CreatedRequest {
  readonly der: Uint8Array;
  /** SubjectPublicKeyInfo of the pending key; undefined if the installed key is kept. */
  readonly waiting: Uint8Array | undefined;
}

/** Replaces any earlier pending key; a certificate for the replaced key can no longer be pushed. */
export async function createRequest(
  machine: Machine,
  location: LocationSpec,
  { request, renewal }: { readonly request: RequestSpec; readonly renewal: boolean },
): Promise<CreatedRequest> {
  const files = await filesOf(machine, location);
  const keepsKey = renewal && request.keepKey;
  const key = keepsKey ? await presentKey(machine, files) : (await generateKeyPair(request.keyAlgorithm)).privateKey;
  const der = await signRequest(key, request);
  if (keepsKey) return { der, waiting: undefined };
  const pem = await exportPrivateKeyPem(key);
  await machine.remove(files.waitingKey);
  await machine.write(files.waitingKey, new TextEncoder().encode(pem), 0o600);
  await machine.flushNames(files.waitingKey);
  if (!(await readKey(machine, files.waitingKey))?.equals(key))
    throw new MachineError(`${files.waitingKey} does not contain the key that was written to it`);
  return { der, waiting: exportPublicKey(key) };
}

async function presentKey(machine: Machine, { key: path }: LocationFiles): Promise<KeyObject> {
  const key = await readKey(machine, path);
  if (!key) throw rejected(`Cannot keep the key: there is no key in ${path}.`);
  return key;
}

export async function signRequest(
  key: KeyObject,
  { subject, names }: Pick<RequestSpec, 'subject' | 'names'>,
  algorithm = defaultSignatureAlgorithm(parsePublicKey(exportPublicKey(key))),
): Promise<Uint8Array> {
  const spki = exportPublicKey(key);
  const extensions = names.length === 0 ? [] : [subjectAltNameExtension(names)];
  const info = buildCertificationRequestInfo({ subject, spki, extensions });
  const signature = await nodeCrypto.signAsync(key, { algorithm, data: info });
  return assembleCertificationRequest(info, { algorithm, signature });
}
