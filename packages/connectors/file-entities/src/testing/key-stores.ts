// Shared calls and checks for key store tests.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallConnector } from '@signetry/connector-sdk';
import { entityProviderOperations as operations, type RequestAttributeDto } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import type { ExternalAuthority } from '@signetry/connector-conformance';
import { ENTITY, KEY_STORE, KEY_STORE_ENTITY, KEY_STORE_REQUEST } from '../index.ts';
import { ALIAS } from '../key-stores/key-store-form.ts';
import { KEY_STORE_METADATA } from '../key-stores/key-store-metadata.ts';
import {
  addEntity,
  detail,
  issueFor,
  localValues,
  makeRequest,
  secret,
  sshValues,
  text,
  type TestLocation,
  type SshValues,
} from './test-files.ts';

export const HAS_KEYTOOL = spawnSync('keytool', ['-help'], { stdio: 'ignore' }).status === 0;
export const KEYTOOL_NOTE = HAS_KEYTOOL ? '' : ' (skipped: no keytool on PATH)';
export const PASSWORD = 'changeit';
export const STORE_TYPES = ['PKCS12', 'JKS'] as const;

export const addLocal = (call: CallConnector): Promise<string> => addEntity(call, localValues, 'Keystore');

const RENAMED = new Map<string, string>([
  [ENTITY.host, KEY_STORE_ENTITY.host],
  [ENTITY.username, KEY_STORE_ENTITY.username],
]);

export const addRemote = (call: CallConnector, values: SshValues): Promise<string> =>
  addEntity(
    call,
    sshValues(values).map((each) => ({ ...each, name: RENAMED.get(each.name) ?? each.name })),
    'Keystore',
  );

export const storeValues = (
  path: string,
  type: 'PKCS12' | 'JKS',
  ...more: RequestAttributeDto[]
): RequestAttributeDto[] => [
  text(KEY_STORE.path, path),
  ...(more.some(({ name }) => name === KEY_STORE.password) ? [] : [secret(KEY_STORE.password, PASSWORD)]),
  text(KEY_STORE.type, type),
  ...(more.some(({ name }) => name === KEY_STORE.issuers) ? [] : [text(KEY_STORE.chain, 'asKnown')]),
  ...more,
];

export const csrValues = (alias: string, ...more: RequestAttributeDto[]): RequestAttributeDto[] => [
  text(ALIAS, alias),
  text(KEY_STORE_REQUEST.subject, `CN=${alias}.example`),
  ...(more.some(({ name }) => name === KEY_STORE_REQUEST.keyAlgorithm)
    ? []
    : [text(KEY_STORE_REQUEST.keyAlgorithm, 'EC')]),
  ...more,
];

export const pushAs = ({ call, entity, location }: TestLocation, alias: string, certificate: Uint8Array) =>
  call(operations.pushCertificateToLocation, {
    params: { entityUuid: entity },
    body: {
      certificate: toBase64(certificate),
      certificateType: 'X.509',
      locationAttributes: location,
      pushAttributes: [text(ALIAS, alias)],
    },
  });

/** Generates a key for the entry and pushes its certificate. */
export async function issueAs(place: TestLocation, alias: string, authority: ExternalAuthority): Promise<Uint8Array> {
  const certificate = issueFor(authority, (await makeRequest(place, { values: csrValues(alias) })).csr);
  await pushAs(place, alias, certificate);
  return certificate;
}

export interface LocalLocation extends TestLocation {
  /** Directory of the key store. */
  readonly at: string;
  readonly file: string;
}

/** Returns a function that creates locations, each in its own directory. */
export function createLocationFactory({
  call,
  entity,
  folder,
}: Pick<TestLocation, 'call' | 'entity'> & { readonly folder: string }) {
  let count = 0;
  return async (type: 'PKCS12' | 'JKS' = 'PKCS12', ...more: TestLocation['location']): Promise<LocalLocation> => {
    count += 1;
    const at = join(folder, `store-${count}`);
    await mkdir(at);
    const location = storeValues(`store-${count}/keystore`, type, ...more);
    return { call, entity, location, at, file: join(at, 'keystore') };
  };
}

/** Returns the aliases of the entries, each with whether it has a key. */
export const aliasesOf = async (place: TestLocation) =>
  (await detail(place)).certificates.map(({ metadata, withKey }) => [
    metadata?.find(({ name }) => name === KEY_STORE_METADATA.alias)?.content?.[0]?.data,
    withKey,
  ]);
