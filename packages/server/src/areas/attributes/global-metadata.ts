// Global metadata: definitions that apply to all connectors. An administrator creates such a definition or promotes one
// from a connector.
import type {
  AttributeDefinitionDto,
  ConnectorMetadataPromotionRequestDto,
  ConnectorMetadataResponseDto,
  GlobalMetadataCreateRequestDto,
  GlobalMetadataDefinitionDetailDto,
  GlobalMetadataUpdateRequestDto,
  MetadataAttribute,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, requireFound } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { definitionProblems } from '@signetry/connector-sdk';
import * as store from './store-global-metadata.ts';
import type { GlobalRow } from './store-global-metadata.ts';

export type GlobalMetadataService = ReturnType<typeof createGlobalMetadataService>;

export function createGlobalMetadataService({ clock, database }: Platform, { audit }: { readonly audit: AuditTrail }) {
  const { executor } = database;

  const list = async (): Promise<AttributeDefinitionDto[]> => (await store.findAll(executor)).map(present);

  const require = async (uuid: string): Promise<GlobalRow> =>
    requireFound(await store.findOne(executor, uuid), store.globalMetadata.what, uuid);

  const detail = async (uuid: string): Promise<GlobalMetadataDefinitionDetailDto> => presentDetail(await require(uuid));

  /** Returns connector metadata that is not global yet. */
  async function candidates(connectorUuid: string | undefined): Promise<ConnectorMetadataResponseDto[]> {
    const rows = await store.findOfConnectors(executor, connectorUuid);
    return rows.map(({ uuid, name, content_type: contentType, label, connector_uuid: connector }) => ({
      uuid,
      name,
      contentType,
      label,
      connectorUuid: connector,
    }));
  }

  async function create(request: GlobalMetadataCreateRequestDto, context: RequestContext): Promise<string> {
    const { name, contentType } = request;
    const attribute: MetadataAttribute = {
      version: 2,
      uuid: newUuid(),
      name,
      type: 'meta',
      contentType,
      properties: { label: request.label, visible: request.visible, global: true, overwrite: false },
    };
    const described = describe(attribute, request);
    await rejectTakenName(store.globalMetadata, name, () =>
      audit.change(context, async (tx) => {
        await store.insert(tx, described, clock.now());
        return [described];
      }),
    );
    return attribute.uuid;
  }

  async function update(
    uuid: string,
    request: GlobalMetadataUpdateRequestDto,
    context: RequestContext,
  ): Promise<GlobalMetadataDefinitionDetailDto> {
    const definition = describe((await require(uuid)).definition, request);
    const changed = await audit.change(context, (tx) => store.update(tx, { uuid, definition, now: clock.now() }));
    requireFound(changed[0], store.globalMetadata.what, uuid);
    return detail(uuid);
  }

  /** Promotes one connector's definition, which then applies to all connectors. */
  async function promote(
    { uuid, connectorUuid }: ConnectorMetadataPromotionRequestDto,
    context: RequestContext,
  ): Promise<GlobalMetadataDefinitionDetailDto> {
    const rows = await store.findOfConnectors(executor, connectorUuid);
    const own = rows.find((row) => row.uuid === uuid) ?? rows.find((row) => row.attribute_uuid === uuid);
    const { uuid: definition, name } = requireFound(own, 'Connector metadata', uuid);
    const promoted = await rejectTakenName(store.globalMetadata, name, () =>
      audit.change(context, (tx) => store.promote(tx, definition, clock.now())),
    );
    requireFound(promoted[0], 'Connector metadata', uuid);
    return detail(definition);
  }

  /**
   * The values are kept; values from a connector are displayed as that connector's metadata again. Skips unknown
   * definitions.
   */
  const removeMany = (uuids: readonly string[], context: RequestContext): Promise<readonly store.ChangedMetadata[]> =>
    audit.change(context, (tx) => store.demote(tx, uuids, clock.now()));

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const [row] = await removeMany([uuid], context);
    requireFound(row, store.globalMetadata.what, uuid);
  }

  return { list, detail, candidates, create, update, promote, remove, removeMany };
}

/** Returns the attribute that a request describes; rejects malformed definitions (400). */
function describe(
  { description: _before, ...attribute }: MetadataAttribute,
  { description, label, visible, group }: GlobalMetadataUpdateRequestDto,
): MetadataAttribute {
  const { global, overwrite } = attribute.properties;
  const described: MetadataAttribute = {
    ...attribute,
    ...(description ? { description } : {}),
    properties: { label, visible, ...(group ? { group } : {}), global, overwrite },
  };
  const problems = definitionProblems(described);
  if (problems.length > 0) throw new AppError('invalid_fields', { problems });
  return described;
}

const present = ({
  uuid,
  name,
  content_type: contentType,
  definition,
  enabled,
}: GlobalRow): AttributeDefinitionDto => ({
  uuid,
  name,
  contentType,
  description: definition.description ?? '',
  enabled,
});

const presentDetail = (row: GlobalRow): GlobalMetadataDefinitionDetailDto => {
  const { visible, group } = row.definition.properties;
  return { ...present(row), type: 'meta', label: row.label, visible, group };
};
