// Effect of removing RA profiles: protocol profiles that issue under them no longer have an RA profile, and activations
// on them are removed.
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ChangeParts } from './profile-parts.ts';

/**
 * Registers the protocol in the RA profile area: on which RA profiles it is served, and what is removed along with
 * them.
 */
export function registerWithRaProfiles(parts: ChangeParts): void {
  const { protocol, activations, raProfiles } = parts;
  raProfiles.registerProtocol({ name: protocol.name, activatedOn: activations.activatedOn });
  raProfiles.registerDependants({
    onRaProfilesRemoved: (tx, raProfileUuids, context) => detachRaProfiles(parts, { tx, raProfileUuids }, context),
  });
}

async function detachRaProfiles(
  { protocol, platform, profiles, activations, attributes, audit, onChange }: ChangeParts,
  { tx, raProfileUuids }: { readonly tx: Executor; readonly raProfileUuids: readonly string[] },
  context: RequestContext,
): Promise<void> {
  const ended = await activations.remove(tx, raProfileUuids);
  const issuing = (await profiles.findOfRaProfiles(tx, raProfileUuids)).map(({ uuid }) => uuid);
  const concerned = [...new Set([...issuing, ...ended.map(({ profile_uuid: uuid }) => uuid)])];
  await profiles.lockMany(tx, concerned);
  const rows = await profiles.updateMany(tx, concerned, { updated_at: platform.clock.now() });
  await profiles.detachRaProfiles(tx, raProfileUuids);
  // Activation values belong to the RA profiles and are removed with them.
  await attributes.removeData(tx, protocol.resource, issuing);
  // The removal has not been committed yet. If the profile is read in the meantime, the old version is cached, and
  // statements will then detect that it is outdated.
  onChange();
  if (rows.length === 0) return;
  await audit.append(tx, context, {
    facts: { module: 'protocols', resource: protocol.resource, operation: 'update' },
    objects: rows.map(({ uuid, name }) => ({ uuid, name })),
    affiliated: { resource: 'raProfiles', objects: raProfileUuids.map((uuid) => ({ uuid })) },
  });
}
