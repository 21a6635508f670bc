// An entity provider that keeps shelves in memory: each location is a shelf, identified by its name. A real HTTP
// server; the test decides what fails.
import { randomUUID } from 'node:crypto';
import {
  ConnectorError,
  dataAttribute,
  defineConnector,
  developmentContext,
  instancesInMemory,
  metadataAttribute,
  readBoolean,
  readString,
  serveConnector,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { writePem } from '@signetry/pki';
import { onFileFinished } from '@signetry/testkit/file-end';
import { makeRequest } from './requests.ts';

export const KEY_STORE_KIND = 'Shelf';
const uuidOf = (number: number): string => `0193f0a2-7171-7000-8000-${String(number).padStart(12, '0')}`;

const host = dataAttribute({
  uuid: uuidOf(1),
  name: 'data_host',
  label: 'Host',
  contentType: 'string',
  required: true,
});
const password = dataAttribute({ uuid: uuidOf(2), name: 'data_password', label: 'Password', contentType: 'secret' });
const shelf = dataAttribute({
  uuid: uuidOf(3),
  name: 'data_shelf',
  label: 'Shelf',
  contentType: 'string',
  required: true,
});
const single = dataAttribute({ uuid: uuidOf(4), name: 'data_single', label: 'For one only', contentType: 'boolean' });
const alias = dataAttribute({ uuid: uuidOf(5), name: 'data_alias', label: 'Alias', contentType: 'string' });
const subject = dataAttribute({
  uuid: uuidOf(6),
  name: 'data_subject',
  label: 'Subject',
  contentType: 'string',
  required: true,
});
const metaOf = (name: string): MetadataAttribute =>
  metadataAttribute({ uuid: uuidOf(7), name: 'meta_alias', label: 'Alias', contentType: 'string', content: [name] });

const fields = [host, password, shelf, single, alias, subject];

/** Returns a form value, by name. */
export function formAttribute(name: string, data: unknown): RequestAttributeDto {
  const field = fields.find((each) => each.name === name);
  if (!field) throw new Error(`No form has the field ${name}.`);
  const { uuid, contentType } = field;
  return { uuid, name, contentType, content: [{ data }] } as RequestAttributeDto; // The value matches the content type.
}

interface StoreEntry {
  readonly alias: string;
  /** Base64 of DER; absent for a key without a certificate. */
  readonly certificate?: string;
  readonly withKey: boolean;
}

export interface StoreProvider {
  readonly url: string;
  /** Returns the contents of a shelf. */
  on(name: string): StoreEntry[];
  put(name: string, certificate: string): void;
  /** Returns the private key (PKCS#8, PEM) generated for a public key (SPKI). */
  keyFor(spki: Uint8Array): string;
  /** Returns the number of generated keys. */
  keysMade(): number;
  /** Rejects each push with this message while it is set. */
  refusePush: string | undefined;
  /** Additional DNS names in CSRs. */
  furtherNames: readonly string[] | undefined;
  /** Puts a pushed certificate on the shelf, but responds only after this promise is resolved. */
  holdPush: Promise<void> | undefined;
  close(): Promise<void>;
}

export async function startStoreProvider(): Promise<StoreProvider> {
  const shelves = new Map<string, StoreEntry[]>();
  const keys = new Map<string, string>();
  const state: Partial<Decisions> = {};
  const on = (name: string): StoreEntry[] => {
    const found = shelves.get(name) ?? [];
    shelves.set(name, found);
    return found;
  };
  const connector = defineConnector({
    name: 'shelves',
    functions: { entityProvider: { kinds: [KEY_STORE_KIND] } },
    create: () => ({ functions: { entityProvider: handlers(on, state, keys) } }),
  });
  const served = await serveConnector(connector, { context: developmentContext() });
  const provider = Object.assign(state, {
    url: served.url,
    on,
    put: (name: string, certificate: string) =>
      void on(name).push({ alias: randomUUID(), certificate, withKey: false }),
    keyFor: (spki: Uint8Array) => keys.get(Buffer.from(spki).toString('hex')) ?? '',
    keysMade: () => keys.size,
    close: () => served.close(),
  }) as StoreProvider; // The decisions are set later.
  onFileFinished(() => provider.close());
  return provider;
}

/** Decisions of the test. */
type Decisions = Pick<StoreProvider, 'refusePush' | 'holdPush' | 'furtherNames'>;
type Handlers = FunctionHandlers<'entityProvider'>;

function handlers(on: (name: string) => StoreEntry[], state: Partial<Decisions>, made: Map<string, string>): Handlers {
  const instances = instancesInMemory('Entity', () => [host, password]);
  const at = (attributes: Parameters<typeof readString>[0]) => on(readString(attributes, 'data_shelf') ?? '');
  return {
    listAttributeDefinitions: () => [host, password],
    listEntityInstances: instances.list,
    createEntityInstance: instances.create,
    getEntityInstance: instances.get,
    updateEntityInstance: instances.update,
    removeEntityInstance: instances.remove,
    listLocationAttributes: () => [shelf, single],
    getLocationDetail: ({ body: { locationAttributes } }) => ({
      certificates: at(locationAttributes).flatMap(({ alias: name, certificate, withKey }) =>
        certificate === undefined ? [] : [{ certificateData: certificate, withKey, metadata: [metaOf(name)] }],
      ),
      multipleEntries: readBoolean(locationAttributes, 'data_single') !== true,
      supportKeyManagement: true,
    }),
    listPushCertificateAttributes: () => [alias],
    pushCertificateToLocation: async ({ body: { certificate, locationAttributes, pushAttributes } }) => {
      if (state.refusePush !== undefined) throw new ConnectorError(422, state.refusePush);
      const name = readString(pushAttributes, 'data_alias') ?? randomUUID();
      const entries = at(locationAttributes);
      const before = entries.findIndex((entry) => entry.alias === name);
      const withKey = before >= 0 && entries[before]?.withKey === true;
      if (readBoolean(locationAttributes, 'data_single') === true) entries.splice(0);
      entries.splice(before < 0 ? entries.length : before, before < 0 ? 0 : 1, { alias: name, certificate, withKey });
      await state.holdPush;
      return { certificateMetadata: [metaOf(name)], withKey };
    },
    removeCertificateFromLocation: ({ body: { certificateMetadata, locationAttributes } }) => {
      const name = readString(certificateMetadata, 'meta_alias');
      const entries = at(locationAttributes);
      entries.splice(0, entries.length, ...entries.filter((entry) => entry.alias !== name));
      return { certificateMetadata: [] };
    },
    listGenerateCsrAttributes: () => [alias, subject],
    generateCsrLocation: async ({ body: { locationAttributes, csrAttributes } }) => {
      const name = readString(csrAttributes, 'data_alias') ?? randomUUID();
      const of = readString(csrAttributes, 'data_subject') ?? '';
      const { der, keys } = await makeRequest({ subject: of, dnsNames: state.furtherNames ?? [] });
      const pem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
      made.set(Buffer.from(keys.spki).toString('hex'), String(pem));
      const entries = at(locationAttributes);
      if (!entries.some((entry) => entry.alias === name)) entries.push({ alias: name, withKey: true });
      const { uuid, name: field, contentType } = alias;
      return {
        // In the form that key store providers send; the built-in ones send Base64 of DER.
        csr: Buffer.from(writePem('NEW CERTIFICATE REQUEST', der)).toString('base64'),
        metadata: [metaOf(name)],
        pushAttributes: [{ uuid, name: field, contentType, content: [{ data: name }] }],
      };
    },
  };
}
