// Operations on connectors in the form of interface version 2.17: the same use cases, with paged lists and with the
// version of the connector interface.
import {
  connectorV2Operations,
  ConnectorVersion,
  type ConnectInfo,
  type ConnectorDetailDtoV2,
  type ConnectorDto,
  type ConnectorPageV2,
  type ConnectorRequestDtoV2,
  type ConnectRequestDto,
  type HealthDto,
  type HealthInfo,
  type SearchFieldDataByGroupDto,
  type SearchRequestDto,
} from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { pageFacts } from '../../kernel/page.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ConnectorAttributes } from './connector-attributes.ts';
import { connectorFields } from './search-fields.ts';
import { presentListed } from './present.ts';
import type { ConnectorService } from './service.ts';
import { findPage } from './store.ts';

/** The only version of the connector interface that the platform calls. */
const SUPPORTED = 'v1' as const;

export const laterVersionRoutes = (
  platform: Platform,
  {
    service,
    attributes,
  }: { readonly service: ConnectorService; readonly attributes: Pick<ConnectorAttributes, 'health'> },
): readonly Route[] =>
  routes(connectorV2Operations, {
    listConnectorsV2: ({ body, context }) => list(platform, body, context),
    getConnectorSearchableFields: () => searchFields(),
    getConnectorV2: async ({ params, context }) => presentDetail(await service.detail(params.uuid, context)),
    createConnectorV2: ({ body, context }) => create(service, body, context),
    editConnectorV2: async ({ params, body, context }) => presentDetail(await service.edit(params.uuid, body, context)),
    deleteConnectorV2: ({ params, context }) => service.remove(params.uuid, context),
    bulkDeleteConnectorV2: ({ body, context }) => service.removeMany(body, { context, force: false }),
    bulkForceDeleteConnectorV2: ({ body, context }) => service.removeMany(body, { context, force: true }),
    connectV2: async ({ body, context }) => [await connect(service, body, context)],
    reconnectV2: async ({ params: { uuid }, context }) => infoOf(await service.reconnect(uuid, context), uuid),
    bulkReconnectV2: ({ body, context }) => service.reconnectMany(body, context),
    approveV2: ({ params, context }) => service.approve(params.uuid, context),
    bulkApproveV2: ({ body, context }) => service.approveMany(body, context),
    checkHealthV2: async ({ params, context }) => presentHealth(await attributes.health(params.uuid, context)),
  });

const withVersion = <Shown>(connector: Shown) => ({ ...connector, version: SUPPORTED, interfaces: [] });

const presentDetail = (connector: ConnectorDto): ConnectorDetailDtoV2 => withVersion(connector);

const HEALTH = { ok: 'UP', nok: 'DOWN', unknown: 'UNKNOWN' } as const satisfies Record<
  HealthDto['status'],
  HealthInfo['status']
>;

function presentHealth({ status, parts }: HealthDto): HealthInfo {
  if (parts === undefined) return { status: HEALTH[status] };
  const components = Object.entries(parts).map(([name, part]) => {
    const details = part.description === undefined ? {} : { details: { description: part.description } };
    return [name, { status: HEALTH[part.status], ...details }] as const;
  });
  return { status: HEALTH[status], components: Object.fromEntries(components) };
}

const infoOf = (
  connections: readonly { readonly functionGroup: ConnectInfo['functionGroups'][number] }[],
  connectorUuid: string | undefined,
): ConnectInfo => ({
  version: SUPPORTED,
  ...(connectorUuid === undefined ? {} : { connectorUuid }),
  functionGroups: connections.map(({ functionGroup }) => functionGroup),
});

async function list(
  { database, clock }: Platform,
  request: SearchRequestDto,
  { actor }: RequestContext,
): Promise<ConnectorPageV2> {
  const { page, conditions } = readSearch(request, { lookup: connectorFields.lookup, now: clock.now() });
  const shown = visibleObjects(actor.permissions, 'connectors', 'list');
  const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
    findPage(tx, { conditions, page, shown }),
  );
  return { ...pageFacts(page, totalItems), items: items.map((row) => withVersion(presentListed(row))) };
}

const searchFields = (): SearchFieldDataByGroupDto[] =>
  presentSearchFields('connectors', {
    fields: connectorFields.fields,
    values: { CONNECTOR_VERSION: ConnectorVersion.options },
  });

async function create(
  service: ConnectorService,
  { version, ...request }: ConnectorRequestDtoV2,
  context: RequestContext,
): Promise<ConnectorDetailDtoV2> {
  if (version !== SUPPORTED)
    throw rejected(
      `Cannot create connector ${request.name}: connectors of version ${version} are not supported. ` +
        `Register the connector with version ${SUPPORTED} if it also serves that version.`,
    );
  return presentDetail(await service.detail(await service.create(request, context), context));
}

const connect = async (
  service: ConnectorService,
  request: ConnectRequestDto,
  context: RequestContext,
): Promise<ConnectInfo> => infoOf(await service.connect(request, context), request.uuid);
