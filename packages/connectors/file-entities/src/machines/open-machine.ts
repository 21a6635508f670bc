// An entity's machine, opened for one operation and closed afterward.
import { isConnectorError, rejected, unavailable } from '@signetry/connector-sdk';
import type { SshSecrets } from '../entities/entity-form.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { secretsPurpose } from '../declaration.ts';
import type { ConnectorParts } from '../parts.ts';
import { localMachine } from './local-machine.ts';
import { MachineError, type Machine } from './machine.ts';
import { openSsh } from './ssh-machine.ts';

export interface MachineAccess {
  readonly machine: Machine;
  /** Opens a new connection after the first one was lost. Both are closed together. */
  again(): Promise<Machine>;
}

/** Reports machine errors as rejections (422), with the error's message. */
export async function withMachine<Result>(
  parts: ConnectorParts,
  entity: EntityRow,
  work: (access: MachineAccess) => Promise<Result>,
): Promise<Result> {
  const opened: Machine[] = [];
  const open = async (): Promise<Machine> => {
    const machine = await openMachine(parts, entity);
    opened.push(machine);
    return machine;
  };
  try {
    return await work({ machine: await open(), again: open });
  } catch (error) {
    if (isConnectorError(error) || !(error instanceof MachineError)) throw error;
    throw error.isLost ? unavailable(`${error.message}.`) : rejected(`${error.message}.`);
  } finally {
    for (const machine of opened) machine.close();
  }
}

async function openMachine({ context, store }: ConnectorParts, entity: EntityRow): Promise<Machine> {
  if (entity.transport === 'local') {
    const path = context.directories?.[entity.directory];
    if (path !== undefined) return localMachine({ name: entity.directory, path });
    throw unavailable(
      `The directory ${entity.directory} of "${entity.name}" is not configured. Start with --entity-directories ${entity.directory}=PATH.`,
    );
  }
  const { host, port, username, host_key: pinned } = entity;
  const target = { host, port, username, secrets: openSecrets({ context }, entity), hostKey: pinned ?? undefined };
  const machine = await openSsh(target, context);
  // A concurrent call may have been first and stored a different key.
  if (pinned === null && (await store.pinHostKey(entity.uuid, machine.hostKey)) !== machine.hostKey) {
    machine.close();
    throw rejected(`The host key of ${machine.name} changed while it was being stored. Try again.`);
  }
  return machine;
}

export function openSecrets(
  { context }: Pick<ConnectorParts, 'context'>,
  { uuid, sealed_secrets: sealed }: { readonly uuid: string; readonly sealed_secrets: Uint8Array },
): SshSecrets {
  // `sealSecrets` sealed the value, hence the cast.
  return JSON.parse(new TextDecoder().decode(context.open(sealed, secretsPurpose(uuid)))) as SshSecrets;
}

export const sealSecrets = (
  { context }: Pick<ConnectorParts, 'context'>,
  uuid: string,
  secrets: SshSecrets,
): Uint8Array => context.seal(new TextEncoder().encode(JSON.stringify(secrets)), secretsPurpose(uuid));
