// Creates and changes entities. The connector connects to a remote machine before saving its entity, so that a wrong
// password is reported immediately and the host key is remembered.
import type { RequestAttributeDto } from '@signetry/contract';
import type { Kind } from '../declaration.ts';
import { openSecrets, sealSecrets } from '../machines/open-machine.ts';
import { openSsh } from '../machines/ssh-machine.ts';
import type { ConnectorParts } from '../parts.ts';
import { readEntitySpec, type EntitySpec, type SshSecrets } from './entity-form.ts';
import type { EntityRow } from './entity-store.ts';

export const directoryNames = ({ context }: Pick<ConnectorParts, 'context'>): string[] =>
  Object.keys(context.directories ?? {});

interface Identity {
  readonly uuid: string;
  readonly kind: Kind;
  readonly name: string;
}

/** Can be repeated with the same identifier: an existing entity is returned unchanged. */
export async function createEntity(parts: ConnectorParts, identity: Identity, wish: EntitySpec): Promise<EntityRow> {
  const known = await parts.store.find(identity.uuid);
  if (known) return known;
  const row = await rowOf(parts, identity, wish);
  await parts.store.insert(row, parts.context.clock.now());
  return row;
}

export async function updateEntity(
  parts: ConnectorParts,
  present: EntityRow,
  { name, attributes }: { readonly name: string; readonly attributes: readonly RequestAttributeDto[] },
): Promise<EntityRow> {
  const { uuid, kind } = present;
  const directories = directoryNames(parts);
  const wish = readEntitySpec(attributes, { kind, directories, keepsSecrets: true });
  const kept = retainedOf(parts, present, wish);
  // Secrets for one machine are not sent to a different one.
  if (!kept) readEntitySpec(attributes, { kind, directories });
  const row = await rowOf(parts, { uuid, kind, name }, wish, kept);
  await parts.store.update(row);
  return row;
}

interface RetainedData {
  readonly secrets: SshSecrets;
  readonly hostKey: string | undefined;
}

function retainedOf(parts: ConnectorParts, present: EntityRow, wish: EntitySpec): RetainedData | undefined {
  if (present.transport !== 'ssh' || wish.transport !== 'ssh') return undefined;
  const isSame = present.host === wish.host && present.port === wish.port && present.username === wish.username;
  return isSame ? { secrets: openSecrets(parts, present), hostKey: present.host_key ?? undefined } : undefined;
}

async function rowOf(
  parts: ConnectorParts,
  identity: Identity,
  wish: EntitySpec,
  kept?: RetainedData,
): Promise<EntityRow> {
  if (wish.transport === 'local') return { ...identity, transport: 'local', directory: wish.directory };
  const { host, port, username } = wish;
  const isGiven = wish.secrets.password !== undefined || wish.secrets.privateKey !== undefined;
  const secrets = isGiven ? wish.secrets : (kept?.secrets ?? wish.secrets);
  const hostKey = wish.hostKey ?? kept?.hostKey;
  const machine = await openSsh({ host, port, username, secrets, hostKey }, parts.context);
  machine.close();
  return {
    ...identity,
    transport: 'ssh',
    host,
    port,
    username,
    host_key: machine.hostKey,
    sealed_secrets: sealSecrets(parts, identity.uuid, secrets),
  };
}
