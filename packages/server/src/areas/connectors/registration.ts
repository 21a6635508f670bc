// Self-registration of connectors, and their approval. The registering caller is unknown: until approval, the platform
// neither calls the URL nor sends the credentials that were included.
import type { ConnectorRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, requireFound, isAppError, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/limits/network-of.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import { acceptAuth, acceptUrl } from './accept-request.ts';
import { callFailureOf } from './call-failure.ts';
import { probe } from './probe.ts';
import type { ServiceParts } from './service-parts.ts';
import * as store from './store.ts';
import { connectors } from './store.ts';

/** Maximum number of connectors waiting for approval, so that ignored registrations do not accumulate. */
export const MAX_WAITING = 100;
/** Maximum size of the credentials stored for an unknown caller. */
const MAX_CREDENTIAL_CHARACTERS = 16_384;

export async function register(
  service: ServiceParts,
  request: ConnectorRequestDto,
  context: RequestContext,
): Promise<string> {
  const { database, clock, limits } = service.platform;
  const { audit, vault, values } = service;
  await limits.connectorRegistrations.take(networkOf(context.source?.ipAddress ?? ''));
  const accepted = await values.accept(request.customAttributes, context);
  // Opening a key store is expensive, and an unknown caller could choose how expensive.
  if (request.authType === 'certificate')
    throw rejected(
      'A registration cannot include a key store; register with a different authentication type, and have it changed after approval.',
    );
  if (JSON.stringify(request.authAttributes ?? []).length > MAX_CREDENTIAL_CHARACTERS)
    throw rejected(`The authentication attributes must not be longer than ${MAX_CREDENTIAL_CHARACTERS} characters.`);
  const [uuid, now, { name }] = [newUuid(), clock.now(), request];
  const url = acceptUrl(service.platform, request.url);
  const auth = await acceptAuth(request);
  await rejectTakenName(connectors, name, () =>
    database.transaction(async (tx) => {
      await rejectWhenManyWait(tx);
      await connectors.insert(tx, {
        uuid,
        name,
        url,
        auth_type: auth.authType,
        sealed_auth_attributes: vault.seal(uuid, auth),
        status: 'waitingForApproval',
        created_at: now,
        updated_at: now,
        check_at: now,
      });
      await values.write(tx, uuid, accepted);
      await audit.append(tx, context, { objects: [{ uuid, name }], data: { url, authType: auth.authType } });
    }),
  );
  return uuid;
}

async function rejectWhenManyWait(tx: Executor): Promise<void> {
  await store.lockWaiting(tx);
  if ((await store.countWaiting(tx)) < MAX_WAITING) return;
  throw rejected(
    `${MAX_WAITING} connectors are already waiting for approval; an administrator must approve or remove some of them first.`,
  );
}

/** Calls the connector for the first time. It is approved if the platform supports its response. */
export async function approve(service: ServiceParts, uuid: string, context: RequestContext): Promise<void> {
  const { database, clock } = service.platform;
  const { audit, clients, vault } = service;
  const asked = requireFound(await connectors.findOne(database.executor, uuid), connectors.what, uuid);
  assertWaiting(asked);
  const { name, url } = asked;
  const groups = await probe(clients.clientFor({ uuid, name, url, auth: vault.open(uuid, asked) }), context.signal);
  await service.refuseSameKinds(groups, uuid);
  await database.transaction(async (tx) => {
    const locked = await connectors.lock(tx, uuid);
    assertWaiting(locked);
    if (locked.updated_at.getTime() !== asked.updated_at.getTime())
      throw rejected(`The connector ${name} was changed while it was being checked; review it and approve it again.`);
    const now = clock.now();
    await connectors.update(tx, uuid, { status: 'connected', updated_at: now, check_at: store.nextCheck(now) });
    await store.replaceFunctionGroups(tx, uuid, groups);
    await audit.append(tx, context, { objects: [{ uuid, name }] });
  });
  clients.forget(uuid);
}

/**
 * Approves connectors concurrently, so that an unresponsive connector does not delay the others. Connectors that do not
 * exist or are not waiting for approval are only logged. Connectors that cannot be approved remain waiting, and the
 * first failure is reported.
 */
export async function approveMany(
  service: ServiceParts,
  uuids: readonly string[],
  context: RequestContext,
): Promise<void> {
  const { log } = service.platform;
  const outcomes = await Promise.allSettled([...new Set(uuids)].map((uuid) => approve(service, uuid, context)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  // A 404 from a connector is also not found, but the connector was called.
  const isSkipped = (error: unknown): boolean =>
    !callFailureOf(error) && (isAppError(error, 'object_not_found') || isAppError(error, 'invalid_state'));
  for (const error of failures.filter(isSkipped)) log.info({ error }, 'a connector was not approved');
  const failed = failures.find((error) => !isSkipped(error));
  if (failed !== undefined) throw failed;
}

function assertWaiting({ name, status }: Pick<store.StoredConnector, 'name' | 'status'>): void {
  if (status === 'waitingForApproval') return;
  throw new AppError('invalid_state', {
    what: 'Connector',
    name,
    state: 'already approved',
    needed: 'a connector that waits for approval',
  });
}
