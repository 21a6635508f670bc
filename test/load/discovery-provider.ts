// Discovery provider built with the connector SDK. Its results and its behavior come from shelves that tests fill. Data
// is kept only in memory.
import {
  dataAttribute,
  defineConnector,
  developmentContext,
  notFound,
  readString,
  serveConnector,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { DiscoveryProviderDto, DiscoveryStatus, MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { setTimeout as delay } from 'node:timers/promises';

export const KEY_STORE_KIND = 'Shelf';

export interface StoreResult {
  readonly base64Content: string;
  readonly meta?: readonly MetadataAttribute[];
}

/** Results and behavior of one discovery; optional members override the normal behavior. */
export interface Store {
  readonly results: readonly StoreResult[];
  /** Number of "in progress" responses. */
  readonly looks?: number;
  readonly endsWith?: DiscoveryStatus;
  readonly total?: (page: number) => number;
  readonly page?: (page: number, size: number) => readonly StoreResult[];
  /** Delay of each page in milliseconds. */
  readonly delayMs?: number;
  /** Number of initial requests that fail with status 500. */
  faults?: number;
}

export interface DiscoveryProvider {
  readonly url: string;
  readonly shelves: Map<string, Store>;
  /** Requested pages, in order. */
  readonly asked: { readonly name: string; readonly page: number }[];
  /** Names of the discoveries that it was asked to start and to delete. */
  readonly begun: string[];
  readonly forgotten: string[];
  /** Simulates a restart without data. */
  forgetAll(): void;
  stop(): Promise<void>;
}

interface Run {
  readonly name: string;
  readonly shelf: Store;
  looks: number;
}

export const sourceMetadata = (place: string): MetadataAttribute => ({
  version: 2,
  uuid: '0193f0a2-7c10-7000-8000-00000000d002',
  name: 'discoverySource',
  type: 'meta',
  contentType: 'string',
  properties: { label: 'Found at', visible: true, global: false, overwrite: false },
  content: [{ data: place }],
});

const SHELF_ATTRIBUTE = '0193f0a2-7c10-7000-8000-00000000d001';

export const storeAttributes = (name: string): RequestAttributeDto[] => [
  {
    uuid: SHELF_ATTRIBUTE,
    name: 'data_shelf',
    contentType: 'string',
    content: [{ data: name }],
  } as unknown as RequestAttributeDto, // As clients send it.
];

/** State of the provider. */
interface ProviderState extends Pick<DiscoveryProvider, 'shelves' | 'asked' | 'begun' | 'forgotten'> {
  readonly runs: Map<string, Run>;
}

export async function startDiscoveryProvider(port = 0): Promise<DiscoveryProvider> {
  const kept: ProviderState = { shelves: new Map(), runs: new Map(), asked: [], begun: [], forgotten: [] };
  const connector = defineConnector({
    name: 'shelves',
    functions: { discoveryProvider: { kinds: [KEY_STORE_KIND] } },
    create: () => ({ functions: { discoveryProvider: handlersOf(kept) } }),
  });
  const served = await serveConnector(connector, { port, context: developmentContext() });
  const { runs, ...shown } = kept;
  return { url: served.url, ...shown, forgetAll: () => runs.clear(), stop: () => served.close() };
}

const shelfAttribute = dataAttribute({
  uuid: SHELF_ATTRIBUTE,
  name: 'data_shelf',
  label: 'Shelf',
  contentType: 'string',
  required: true,
});

const handlersOf = ({
  shelves,
  runs,
  asked,
  begun,
  forgotten,
}: ProviderState): FunctionHandlers<'discoveryProvider'> => ({
  listAttributeDefinitions: () => [shelfAttribute],
  discoverCertificate: ({ body }) => {
    begun.push(body.name);
    const shelf = shelves.get(readString(body.attributes ?? [], 'data_shelf') ?? '');
    if (!shelf) throw notFound('Shelf', 'of that name');
    const uuid = crypto.randomUUID();
    runs.set(uuid, { name: body.name, shelf, looks: shelf.looks ?? 0 });
    return inProgressResponse(uuid, body.name);
  },
  getDiscovery: async ({ params: { uuid }, body }) => {
    const run = runs.get(uuid);
    if (!run) throw notFound('Discovery', uuid);
    asked.push({ name: run.name, page: body.pageNumber });
    const { shelf } = run;
    if (shelf.delayMs) await delay(shelf.delayMs);
    if (shelf.faults) {
      shelf.faults -= 1;
      throw new Error('This provider is failing.');
    }
    if (run.looks === 0) return pageOf(uuid, run, body);
    run.looks -= 1;
    return inProgressResponse(uuid, run.name);
  },
  deleteDiscovery: ({ params }) => {
    forgotten.push(runs.get(params.uuid)?.name ?? '');
    runs.delete(params.uuid);
  },
});

const inProgressResponse = (uuid: string, name: string): DiscoveryProviderDto => ({
  uuid,
  name,
  status: 'inProgress',
  totalCertificatesDiscovered: 0,
  certificateData: [],
  meta: [],
});

function pageOf(
  uuid: string,
  { name, shelf }: Run,
  { pageNumber, itemsPerPage }: { readonly pageNumber: number; readonly itemsPerPage: number },
): DiscoveryProviderDto {
  const { results, endsWith = 'completed' } = shelf;
  const shown =
    shelf.page?.(pageNumber, itemsPerPage) ?? results.slice((pageNumber - 1) * itemsPerPage, pageNumber * itemsPerPage);
  return {
    ...inProgressResponse(uuid, name),
    status: endsWith,
    totalCertificatesDiscovered: shelf.total?.(pageNumber) ?? results.length,
    certificateData: shown.map(({ base64Content, meta = [] }, index) => ({
      uuid: `${pageNumber}-${index + 1}`,
      base64Content,
      meta: [...meta],
    })),
  };
}
