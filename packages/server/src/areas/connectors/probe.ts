// Probes connectors and records their status.
import type { ConnectorStatus } from '@signetry/contract';
import { coreContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { ConnectorClient } from './clients.ts';
import { infoOperation, readFunctionGroups, type FunctionGroup } from './info-response.ts';
import * as store from './store.ts';
import { PROBE_TIMEOUT_MS } from './transport.ts';

/** Requests a connector's function groups and validates the response. */
export async function probe(client: ConnectorClient, signal: AbortSignal): Promise<FunctionGroup[]> {
  return readFunctionGroups(await client.call(infoOperation, {}, { signal, timeoutMs: PROBE_TIMEOUT_MS }));
}

export interface StatusReport {
  readonly uuid: string;
  readonly name: string;
  readonly status: ConnectorStatus;
  /** Why the connector does not respond. */
  readonly reason?: string | undefined;
}

/**
 * Records that a connector went offline or came back, with an audit record. Has no effect if the status is already
 * recorded or the connector is waiting for approval.
 */
export async function rememberStatus(
  { platform, audit }: { readonly platform: Platform; readonly audit: AuditTrail },
  { uuid, name, status, reason }: StatusReport,
): Promise<void> {
  const { database, log } = platform;
  const message = status === 'offline' ? `Connector ${name} does not respond` : `Connector ${name} responds again`;
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
  else log.info(facts, 'a connector is back online');
}
