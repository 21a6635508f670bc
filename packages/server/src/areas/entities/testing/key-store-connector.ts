// An entity provider on loopback. A location is a shelf, identified by its name. The test controls the faults.
import { dataAttribute, metadataAttribute } from '@signetry/connector-sdk';
import type { MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import {
  infoOf,
  startFakeConnector,
  type Behavior,
  type FakeConnector,
  type ReceivedCall,
} from '../../connectors/testing/fake-connector.ts';

export const KEY_STORE_KIND = 'Shelf';
const ENTITIES = '/v1/entityProvider/entities';
export const PUSH = `POST ${ENTITIES}/*/locations/push`;
export const REMOVE = `POST ${ENTITIES}/*/locations/remove`;
export const READ = `POST ${ENTITIES}/*/locations`;
export const MAKE_KEY = `POST ${ENTITIES}/*/locations/csr`;
export const REMOVE_ENTITY = `DELETE ${ENTITIES}/*`;

const uuidOf = (number: number): string => `0193f0a2-7171-7000-8000-${String(number).padStart(12, '0')}`;
const field = (number: number, name: string, contentType: 'string' | 'boolean' | 'secret') =>
  dataAttribute({ uuid: uuidOf(number), name, label: name, contentType });
const fields = {
  data_shelf: field(3, 'data_shelf', 'string'),
  data_single: field(4, 'data_single', 'boolean'),
  data_alias: field(5, 'data_alias', 'string'),
  data_password: field(6, 'data_password', 'secret'),
} as const;

/** Returns a value for an attribute of one of the forms. */
export function formValue(name: keyof typeof fields, data: unknown): RequestAttributeDto {
  const { uuid, contentType } = fields[name];
  return { uuid, name, contentType, content: [{ data }] } as RequestAttributeDto; // the value fits the content type
}

/** Metadata that the provider returns for a certificate, and receives back. */
export const aliasMetadata = (alias: string): MetadataAttribute =>
  metadataAttribute({ uuid: uuidOf(7), name: 'meta_alias', label: 'Alias', contentType: 'string', content: [alias] });

export interface StoredEntry {
  readonly certificateData: string;
  readonly withKey: boolean;
  readonly metadata?: readonly MetadataAttribute[];
}

interface Sent {
  readonly certificate?: string;
  readonly locationAttributes: readonly RequestAttributeDto[];
  readonly certificateMetadata?: readonly MetadataAttribute[];
}

const read = ({ body }: ReceivedCall): Sent => body as Sent; // the platform sends it
const valueOf = (attributes: readonly RequestAttributeDto[], name: string): unknown =>
  attributes.find((each) => each.name === name)?.content[0]?.data;

const aliasOf = (metadata: readonly MetadataAttribute[] = []): unknown => metadata[0]?.content?.[0]?.data;

interface Fault {
  readonly behaviour: Behavior;
  /** Whether the work is done before the fault. */
  readonly afterEffect?: boolean;
  /** Changes the contents before the fault. */
  readonly effect?: () => unknown;
}

export interface KeyStoreConnector {
  readonly connector: FakeConnector;
  /** Sets the fault of the next call. */
  fail(rule: string, fault: Fault): void;
  /** Contents of a shelf; a test can change them. */
  shelf(name: string): StoredEntry[];
}

export async function startKeyStoreConnector(): Promise<KeyStoreConnector> {
  const connector = await startFakeConnector();
  const shelves = new Map<string, StoredEntry[]>();
  const entriesIn = (name: string): StoredEntry[] => {
    const found = shelves.get(name) ?? [];
    shelves.set(name, found);
    return found;
  };
  const faults = new Map<string, Fault>();
  const on = (rule: string, respond: (call: ReceivedCall) => Behavior): void =>
    connector.on(rule, (call) => {
      const fault = faults.get(rule);
      faults.delete(rule);
      fault?.effect?.();
      if (fault && !fault.afterEffect) return fault.behaviour;
      const answer = respond(call);
      return fault ? fault.behaviour : answer;
    });
  const keyStoreOf = (call: ReceivedCall) => entriesIn(String(valueOf(read(call).locationAttributes, 'data_shelf')));
  const isSingle = (call: ReceivedCall) => valueOf(read(call).locationAttributes, 'data_single') === true;
  const form = (path: string, ...names: (keyof typeof fields)[]) => {
    connector.on(`GET ${path}`, { body: names.map((name) => fields[name]) });
    connector.on(`POST ${path}/validate`, {});
  };
  connector.on('GET /v1', { body: [infoOf('entityProvider', [KEY_STORE_KIND])] });
  form(`/v1/entityProvider/${KEY_STORE_KIND}/attributes`, 'data_password');
  form(`${ENTITIES}/*/location/attributes`, 'data_shelf', 'data_single', 'data_password');
  form(`${ENTITIES}/*/locations/push/attributes`, 'data_alias');
  form(`${ENTITIES}/*/locations/csr/attributes`, 'data_alias');
  const entity = { uuid: 'entity-there', name: 'e', attributes: [] };
  connector.on(`POST ${ENTITIES}`, { body: entity });
  connector.on(`GET ${ENTITIES}/*`, { body: entity });
  on(REMOVE_ENTITY, () => ({ status: 204 }));
  on(READ, (call) => ({
    body: { certificates: keyStoreOf(call), multipleEntries: !isSingle(call), supportKeyManagement: true },
  }));
  on(MAKE_KEY, () => ({
    body: {
      csr: 'AQID',
      metadata: [aliasMetadata('made')],
      // Some connectors omit identifiers, and send values that they never defined.
      pushAttributes: [
        { ...formValue('data_alias', 'made'), uuid: null },
        { name: 'data_slot', contentType: 'integer', content: [{ data: 3 }] },
      ],
    },
  }));
  on(PUSH, (call) => {
    const entries = keyStoreOf(call);
    const { certificate = '' } = read(call);
    const metadata = [aliasMetadata(`alias ${entries.length}`)];
    if (isSingle(call)) entries.splice(0);
    entries.push({ certificateData: certificate, withKey: false, metadata });
    return { body: { certificateMetadata: metadata, withKey: false } };
  });
  on(REMOVE, (call) => {
    const gone = aliasOf(read(call).certificateMetadata);
    const entries = keyStoreOf(call);
    entries.splice(0, entries.length, ...entries.filter(({ metadata }) => aliasOf(metadata) !== gone));
    return { body: { certificateMetadata: [] } };
  });
  return { connector, shelf: entriesIn, fail: (rule, fault) => void faults.set(rule, fault) };
}
