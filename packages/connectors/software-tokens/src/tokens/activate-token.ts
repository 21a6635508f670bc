// Activates, deactivates and removes tokens.
import { notFound } from '@signetry/connector-sdk';
import type { ConnectorParts } from '../parts.ts';
import { isUuid } from '../problems.ts';
import { ActiveToken } from './active-token.ts';

/** Activates a token in this process, or in all processes if the token stays active. */
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

/** Deactivates a token in all processes. Once this resolves, none of the token's keys are in use. */
export async function deactivateToken({ store, active }: ConnectorParts, uuid: string): Promise<void> {
  const isKnown = isUuid(uuid) && (await store.deactivate(uuid));
  active.remove(uuid);
  if (!isKnown) throw notFound('Token', uuid);
  await active.outlast(uuid);
}

/** Removes a token and its keys. */
export async function removeToken({ store, active }: ConnectorParts, uuid: string): Promise<void> {
  const removed = isUuid(uuid) ? await store.remove(uuid, active.process) : undefined;
  active.remove(uuid);
  if (!removed) throw notFound('Token', uuid);
  await active.outlast(uuid, removed);
}
