// Activates and deactivates tokens, and removes them.
import { notFound } from '@signetry/connector-sdk';
import type { ConnectorParts } from '../parts.ts';
import { isUuid } from '../problems.ts';
import { ActiveToken } from './active-token.ts';

/** In this process; in all processes where the token stays active. */
export async function activateToken(
  { attempts, active, store, context }: ConnectorParts,
  uuid: string,
  code: string,
): Promise<void> {
  const { row, dataKey } = await attempts.open(uuid, [code]);
  const token = new ActiveToken(uuid, dataKey, row);
  if (row.stays_active) await store.keepActive(uuid, row, token.sealUnattended(context));
  active.add(token);
  await store.forgetUsers(uuid);
}

/** In all processes: when it is answered, no key of the token is used. */
export async function deactivateToken({ store, active }: ConnectorParts, uuid: string): Promise<void> {
  const isKnown = isUuid(uuid) && (await store.deactivate(uuid));
  active.remove(uuid);
  if (!isKnown) throw notFound('Token', uuid);
  await active.outlast(uuid);
}

/** With its keys. */
export async function removeToken({ store, active }: ConnectorParts, uuid: string): Promise<void> {
  const removed = isUuid(uuid) ? await store.remove(uuid, active.process) : undefined;
  active.remove(uuid);
  if (!removed) throw notFound('Token', uuid);
  await active.outlast(uuid, removed);
}
