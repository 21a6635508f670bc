// Asking a connector what it is, and remembering whether it answers.
import type { ConnectorStatus } from '@signetry/contract';
import { coreContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ConnectorClient } from './clients.ts';
import { infoOperation, readFunctionGroups, type FunctionGroup } from './info-answer.ts';
import * as store from './store.ts';
import { PROBE_TIMEOUT_MS } from './transport.ts';

/** Asks a connector what it is and judges the answer. */
export async function probe(client: ConnectorClient, signal: AbortSignal): Promise<FunctionGroup[]> {
  return readFunctionGroups(await client.call(infoOperation, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS }));
}

export interface Standing {
  readonly uuid: string;
  readonly name: string;
  readonly status: ConnectorStatus;
  /** Why it does not answer. */
  readonly reason?: string | undefined;
}

/**
 * Remembers that a connector went offline or came back, with a record of it. Does nothing when it is known, or when the
 * connector waits for approval.
 */
export async function rememberStatus(
  { platform, audit }: { readonly platform: Platform; readonly audit: AuditTrail },
  { uuid, name, status, reason }: Standing,
): Promise<void> {
  const { database, log } = platform;
  const message = status === 'offline' ? `Connector ${name} does not answer` : `Connector ${name} answers again`;
  const isChange = await database.transaction(async (tx) => {
    if (!(await store.changeStatus(tx, uuid, status))) return false;
    await audit.append(tx, coreContext('connectors'), {
      facts: { module: 'core', resource: 'connectors', operation: 'checkHealth' },
      objects: [{ uuid, name }],
      message: reason === undefined ? message : `${message}: ${reason}`,
    });
    return true;
  });
  if (!isChange) return;
  const facts = { connector: name, reason };
  if (status === 'offline') log.warn(facts, 'a connector went offline');
  else log.info(facts, 'a connector is back');
}
