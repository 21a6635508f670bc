// Discovery use cases. Every change is written in one transaction with its audit record.
import type {
  DiscoveryCertificateResponseDto,
  DiscoveryDto,
  DiscoveryHistoryDetailDto,
  DiscoveryResponseDto,
  SearchFieldDataByGroupDto,
  SearchRequestDto,
} from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { AppError, requireFound, evaluateTogether, notFound } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { newUuid } from '../../kernel/ids.ts';
import { pageFacts, readPage } from '../../kernel/page.ts';
import { isForeignKeyViolation } from '../../platform/database/database-errors.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform, RetentionPolicy } from '../../platform/platform.ts';
import { maskSecrets, type AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Scheduler } from '../scheduler/index.ts';
import { digestOfRequest, PAGE_SIZE, type DiscoveryLimits } from './run-rules.ts';
import type { DiscoveryTriggers } from './ports.ts';
import { presentDiscovery, presentFound } from './present.ts';
import { valueSet, type Provider } from './provider.ts';
import type { Runs } from './run.ts';
import { discoveryFields } from './search-fields.ts';
import { findFound } from './store-found.ts';
import { lockOldest, removeFindings, removeFound } from './store-old.ts';
import { discoveries, findConnectorNames, findOrphanedFingerprints, findPage } from './store.ts';
import type { DiscoveryRow } from './tables.ts';

export interface DiscoveryServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly inventory: Pick<InventoryArea, 'deleteUnusedContents'>;
  readonly provider: Provider;
  readonly runs: Pick<Runs, 'wake'>;
  readonly scheduler: Pick<Scheduler, 'endRunsOf'>;
  readonly triggers: () => DiscoveryTriggers;
  readonly limits: DiscoveryLimits;
}

export type DiscoveryService = ReturnType<typeof createDiscoveryService>;

export const createDiscoveryService = (platform: Platform, parts: DiscoveryServiceParts) => ({
  ...createReads(platform, parts),
  ...createCreation(platform, parts),
  ...createRemoval(platform, parts),
});

function createReads({ database, clock }: Platform, { attributes, triggers }: DiscoveryServiceParts) {
  const { executor } = database;
  const values = attributes.customValuesOf('discoveries');
  const visibleTo = ({ actor }: RequestContext) => visibleObjects(actor.permissions, 'discoveries', 'list');

  async function list(request: SearchRequestDto, context: RequestContext): Promise<DiscoveryResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: discoveryFields.lookup, now: clock.now() });
    const visible = visibleTo(context);
    const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
      findPage(tx, { conditions, page, visible }),
    );
    return { ...pageFacts(page, totalItems), discoveries: items.map(presentDiscovery) };
  }

  const searchFields = async (context: RequestContext): Promise<SearchFieldDataByGroupDto[]> =>
    presentSearchFields('discoveries', {
      fields: discoveryFields.fields,
      values: { DISCOVERY_CONNECTOR_NAME: await findConnectorNames(executor, visibleTo(context)) },
    });

  async function detail(uuid: string, context: RequestContext): Promise<DiscoveryHistoryDetailDto> {
    const row = await discoveries.require(executor, uuid);
    const { object, scope } = valueSet(row);
    const [stored, metadata, customAttributes, ofDiscovery] = await Promise.all([
      attributes.read(object, scope),
      attributes.readMetadata(object),
      values.read(row.uuid, context),
      triggers().list(row.uuid),
    ]);
    return {
      ...presentDiscovery(row),
      connectorStatus: row.connector_status,
      ...(row.message === null ? {} : { message: row.message }),
      connectorTotalCertificatesDiscovered: row.announced,
      attributes: stored,
      customAttributes,
      metadata,
      triggers: ofDiscovery,
    };
  }

  async function certificates(
    uuid: string,
    { newlyDiscovered: newlyFound, ...asked }: {
      readonly newlyDiscovered?: boolean | undefined;
      readonly itemsPerPage: number;
      readonly pageNumber: number;
    }, // prettier-ignore
  ): Promise<DiscoveryCertificateResponseDto> {
    // API clients may number the first page 0 or 1.
    const page = readPage({ ...asked, pageNumber: Math.max(asked.pageNumber, asked.pageNumber === 0 ? 1 : -1) });
    return database.snapshot(async (tx) => {
      const row = await discoveries.require(tx, uuid);
      const shown = await findFound(tx, { discoveryUuid: row.uuid, newlyFound, page });
      const total = newlyFound === undefined ? row.found : newlyFound ? row.newly_found : row.found - row.newly_found;
      return { ...pageFacts(page, total), certificates: shown.map(presentFound) };
    });
  }

  return { list, searchFields, detail, certificates };
}

function createCreation({ database, clock }: Platform, parts: DiscoveryServiceParts) {
  const { audit, attributes, connectors, runs, limits, triggers } = parts;
  const values = attributes.customValuesOf('discoveries');

  /** Validates a request; a rejection lists all problems. */
  async function accept(request: DiscoveryDto, context: RequestContext) {
    const { kind, connectorUuid } = request;
    const { actor, signal } = context;
    const [, customValues, accepted] = await evaluateTogether(
      triggers().assertUsable(request.triggers ?? [], context),
      values.accept(request.customAttributes, context),
      connectors.acceptOfKind({ connectorUuid, functionGroup: 'discoveryProvider', kind, signal, actor }, request.attributes), // prettier-ignore
    );
    return { customValues, accepted };
  }

  /** Creates a discovery; `within` runs in the same transaction. */
  async function create(request: DiscoveryDto, context: RequestContext, within?: CreationHook): Promise<string> {
    const { name, kind, connectorUuid, triggers: triggerUuids = [] } = request;
    if (await discoveries.findByName(database.executor, name))
      throw new AppError('already_exists', { what: discoveries.what, name });
    const { customValues, accepted } = await accept(request, context);
    const { name: connectorName } = await connectors.facts(connectorUuid);
    const asked = digestOfRequest({ connectorUuid, kind, attributes: maskSecrets(accepted, 'discoveries') });
    const row = {
      ...newRow({ name, kind, connectorUuid, connectorName }, context),
      ...timesOf(clock.now()),
      asked_for: asked,
    };
    await rejectTakenName(discoveries, name, () =>
      audit.change(context, async (tx) => {
        const inserted = await discoveries.insert(tx, row);
        await attributes.insertValues(tx, [{ ...valueSet(row), attributes: accepted }]);
        await values.write(tx, row.uuid, customValues);
        if (triggerUuids.length > 0) await triggers().associate(tx, { uuid: row.uuid, triggerUuids }, context);
        await within?.(tx, row.uuid);
        return inserted;
      }),
    ).catch((error: unknown) => {
      throw isForeignKeyViolation(error) ? notFound('Connector', connectorUuid) : error;
    });
    runs.wake();
    return row.uuid;
  }

  const timesOf = (now: Date) => ({ started_at: now, due_by: new Date(now.getTime() + limits.deadlineMs) });

  return { accept, create };
}

export type CreationHook = (tx: Executor, uuid: string) => Promise<void>;

interface NewDiscovery {
  readonly name: string;
  readonly kind: string;
  readonly connectorUuid: string;
  readonly connectorName: string;
}

const newRow = (
  { name, kind, connectorUuid, connectorName }: NewDiscovery,
  { actor }: RequestContext,
): Omit<DiscoveryRow, 'started_at' | 'due_by' | 'asked_for'> => ({
  uuid: newUuid(),
  name,
  kind,
  connector_uuid: connectorUuid,
  connector_name: connectorName,
  provider_uuid: null,
  status: 'inProgress',
  connector_status: 'inProgress',
  message: null,
  warning: null,
  started_by_uuid: actor.userUuid,
  started_by: actor.username ?? '',
  ended_at: null,
  stopped_by: null,
  announced: 0,
  page_size: PAGE_SIZE,
  pages: null,
  pages_read: 0,
  results_read: 0,
  found: 0,
  newly_found: 0,
  repeated: 0,
  refused: 0,
  working_ms: 0,
  silent_since: null,
  failures: 0,
  looks: 0,
  next_look_at: null,
  lease: null,
  leased_until: null,
});

function createRemoval(platform: Platform, parts: DiscoveryServiceParts) {
  const { audit, attributes, inventory, provider, scheduler } = parts;
  const forgetting = declareForgetJob(platform, provider);

  /**
   * Unknown discoveries are skipped, so that the operation is idempotent. Returns the discoveries that were removed.
   */
  async function removeMany(uuids: readonly string[], context: RequestContext): Promise<readonly DiscoveryRow[]> {
    const removed = await audit.change(context, (tx) => removeRows(tx, uuids));
    forgetting.wake();
    return removed;
  }

  async function removeRows(tx: Executor, uuids: readonly string[]): Promise<readonly DiscoveryRow[]> {
    const locked = (await discoveries.lockMany(tx, uuids)).map(({ uuid }) => uuid);
    const orphaned = await findOrphanedFingerprints(tx, locked);
    await attributes.removeObjects(tx, 'discoveries', locked);
    const rows = await discoveries.removeMany(tx, locked);
    await inventory.deleteUnusedContents(tx, orphaned);
    await forgetting.ask(tx, rows);
    const message = 'The discovery was deleted before it finished.';
    await scheduler.endRunsOf(tx, { resource: 'discoveries', uuids: locked, status: 'failed', message });
    return rows;
  }

  /** Deletes a discovery's results in batches, then the discovery itself. */
  const removeOld: RetentionPolicy['remove'] = async (tx, { before, limit }) => {
    const uuid = await lockOldest(tx, before);
    if (uuid === undefined) return 0;
    const fingerprints = await removeFound(tx, uuid, limit);
    await inventory.deleteUnusedContents(tx, fingerprints);
    const removed = fingerprints.length || (await removeFindings(tx, uuid, limit));
    return removed > 0 ? removed : (await removeRows(tx, [uuid])).length;
  };

  return {
    removeMany,
    removeOld,
    async remove(uuid: string, context: RequestContext): Promise<void> {
      const [removed] = await removeMany([uuid], context);
      requireFound(removed, discoveries.what, uuid);
    },
  };
}

const FORGET_QUEUE = 'discoveries.forget-at-provider';

interface ForgetPayload {
  readonly connectorUuid: string;
  readonly providerUuid: string;
}

/**
 * Notifies providers in the background that a discovery was deleted. If a provider does not respond, its copy remains;
 * nothing waits for it.
 */
function declareForgetJob({ jobs }: Pick<Platform, 'jobs'>, provider: Pick<Provider, 'forget'>) {
  jobs.declare<ForgetPayload>({
    name: FORGET_QUEUE,
    handle: ({ connectorUuid, providerUuid }, { signal }) => provider.forget(connectorUuid, providerUuid, signal),
  });
  return {
    async ask(tx: Executor, rows: readonly DiscoveryRow[]): Promise<void> {
      for (const { connector_uuid: connectorUuid, provider_uuid: providerUuid } of rows)
        if (connectorUuid !== null && providerUuid !== null)
          await jobs.enqueue(tx, FORGET_QUEUE, { connectorUuid, providerUuid } satisfies ForgetPayload);
    },
    wake: (): void => jobs.wake(FORGET_QUEUE),
  };
}
