// Tests an instance with a sample event: sends it, or previews what would be sent.
import {
  notificationProviderOperations,
  resourceEventFacts,
  type NotificationPreviewDto,
  type NotificationTestRequest,
  type NotificationTestResult,
  type ResourceEvent,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { isMissing, type Connectors } from '../../connectors/index.ts';
import { reachInstance } from '../instances/reach.ts';
import type { Recipients } from '../sending/recipients.ts';
import { instances } from '../store.ts';
import type { NamedRecipient } from '../tables.ts';
import { NOTIFY_TIMEOUT_MS, type Deliverer } from './deliver.ts';
import { failureOf, isGivenUp } from './failure.ts';
import { sampleOf } from './samples.ts';

export interface TryOutParts {
  readonly audit: AuditTrail;
  readonly connectors: Pick<Connectors, 'client'>;
  readonly deliverer: Deliverer;
  readonly recipients: Recipients;
}

const provider = notificationProviderOperations;

export type TryOut = ReturnType<typeof createTryOut>;

export function createTryOut({ database, clock }: Platform, parts: TryOutParts) {
  const { audit, connectors, deliverer, recipients } = parts;
  const { executor } = database;

  /** Returns the specified recipient, if any. */
  async function recipientsOf(request: NotificationTestRequest): Promise<NamedRecipient[]> {
    const named = (['user', 'group', 'role'] as const).flatMap((type) => {
      const uuid = request[`${type}Uuid`]?.toLowerCase();
      return uuid === undefined ? [] : [{ type, target: { resource: RESOURCES[type], uuid } }];
    });
    if (named.length > 1) throw rejected('Specify only one recipient: a user, a group or a role.');
    const [only] = named;
    if (!only) return [];
    const [recipient] = await recipients.named(executor, [only.target]);
    if (!recipient) throw notFound(only.type === 'user' ? 'Enabled user' : 'Recipient', only.target.uuid);
    return [recipient];
  }

  /** Returns the instance and the call to its provider. */
  async function prepare(uuid: string, event: ResourceEvent, request: NotificationTestRequest) {
    const instance = requireFound(await instances.findOne(executor, uuid), instances.what, uuid);
    const wanted = await recipientsOf(request);
    const { resource } = resourceEventFacts[event];
    const { client, params } = await reachInstance(connectors, instance);
    const { body } = await deliverer.bodyOf(instance, { event, resource, data: sampleOf(event, clock.now()) }, wanted);
    return { instance, client, call: { params, body } };
  }

  async function test(
    uuid: string,
    request: NotificationTestRequest,
    context: RequestContext,
  ): Promise<NotificationTestResult> {
    const { instance, client, call } = await prepare(uuid, 'certificate_expiring', request);
    const options = { signal: context.signal, idempotencyKey: newUuid(), timeoutMs: NOTIFY_TIMEOUT_MS };
    const problem = await client.call(provider.sendNotification, call, options).then(
      () => undefined,
      (error: unknown) => {
        if (isGivenUp(error)) throw error;
        return failureOf(error).problem;
      },
    );
    const data = { test: problem === undefined ? 'delivered' : 'failed' };
    await database.transaction((tx) => audit.append(tx, context, { objects: [instance], data }));
    return problem === undefined ? { delivered: true } : { delivered: false, problem };
  }

  async function preview(
    uuid: string,
    { event, ...request }: NotificationTestRequest & { readonly event: ResourceEvent },
    { signal }: RequestContext,
  ): Promise<NotificationPreviewDto> {
    const { instance, client, call } = await prepare(uuid, event, request);
    try {
      return await client.call(provider.previewNotification, call, { signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw rejected(`The connector of ${instance.name} does not support previews. Send a test notification instead.`);
    }
  }

  return { test, preview };
}

const RESOURCES = { user: 'users', group: 'groups', role: 'roles' } as const;
