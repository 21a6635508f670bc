// Objects that compliance profiles apply to: RA profiles and token profiles.
import type { ComplianceProfileListDto, Resource, ResourceObjectDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import { CONFIGURATION_TTL_MS, createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { presentSummary } from './present.ts';
import * as store from './store.ts';
import { profiles, type AssociatedResource } from './store.ts';

export interface AssociationParts {
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'holdForUse' | 'findMany'>;
  readonly tokens: Pick<Tokens, 'requireProfile' | 'listNames'>;
}

export type Associations = ReturnType<typeof createAssociations>;

/** Rejects resources that compliance profiles cannot be associated with. */
function associatedResource(resource: Resource): AssociatedResource {
  if (resource === 'raProfiles' || resource === 'tokenProfiles') return resource;
  throw rejected(`resource: compliance profiles apply to raProfiles and tokenProfiles, not to ${resource}`);
}

export function createAssociations({ database, clock }: Platform, { audit, raProfiles, tokens }: AssociationParts) {
  const { executor } = database;
  // One small cached set serves every request for every RA profile.
  const associated = createExpiringCache({
    clock,
    ttlMs: CONFIGURATION_TTL_MS,
    load: (_all: 'all') => store.findAssociatedRaProfiles(executor),
  });

  async function associate(
    uuid: string,
    objects: readonly { readonly resource: Resource; readonly uuid: string }[],
    context: RequestContext,
  ): Promise<void> {
    for (const object of objects)
      if (associatedResource(object.resource) === 'tokenProfiles')
        await tokens.requireProfile({ profileUuid: object.uuid });
    await audit.change(context, async (tx) => {
      const row = await profiles.lock(tx, uuid);
      for (const object of objects) {
        const resource = associatedResource(object.resource);
        if (resource === 'raProfiles') await raProfiles.holdForUse(tx, object.uuid);
        await store.associate(tx, { profileUuid: uuid, resource, objectUuid: object.uuid });
      }
      return [row];
    });
    associated.invalidate();
  }

  async function disassociate(
    uuid: string,
    objects: readonly { readonly resource: Resource; readonly uuid: string }[],
    context: RequestContext,
  ): Promise<void> {
    await audit.change(context, async (tx) => {
      const row = await profiles.lock(tx, uuid);
      for (const object of objects) {
        const association = { profileUuid: uuid, resource: associatedResource(object.resource) };
        if (!(await store.disassociate(tx, { ...association, objectUuid: object.uuid })))
          throw notFound(`Association of compliance profile ${row.name}`, object.uuid);
      }
      return [row];
    });
    associated.invalidate();
  }

  return {
    associate,
    disassociate,
    list: (uuid: string) => list(executor, { raProfiles, tokens }, uuid),
    listOf: (resource: Resource, objectUuid: string) => listOf(executor, resource, objectUuid),
    /** Returns whether rules apply to this RA profile's certificates. The result is cached for a few seconds. */
    appliesTo: async (raProfileUuid: string): Promise<boolean> => (await associated.get('all')).has(raProfileUuid),
    /** Returns the RA profiles and token profiles that these compliance profiles apply to. */
    find: (profileUuids: readonly string[]) => store.findAssociations(executor, profileUuids),
  };
}

/** Returns the objects that a profile applies to, with their names. */
async function list(
  executor: Executor,
  { raProfiles, tokens }: Pick<AssociationParts, 'raProfiles' | 'tokens'>,
  uuid: string,
): Promise<ResourceObjectDto[]> {
  await profiles.require(executor, uuid);
  const found = await store.findAssociations(executor, [uuid]);
  const uuidsOf = (resource: AssociatedResource) =>
    found.filter((each) => each.resource === resource).map(({ objectUuid }) => objectUuid);
  const ofTokens = new Set(uuidsOf('tokenProfiles'));
  const names = await tokens.listNames();
  return [
    ...(await raProfiles.findMany(uuidsOf('raProfiles'))).map((each) => ({
      ...each,
      resource: 'raProfiles' as const,
    })),
    ...names.profiles
      .filter((each) => ofTokens.has(each.uuid))
      .map((each) => ({ ...each, resource: 'tokenProfiles' as const })),
  ].map(({ resource, uuid: objectUuid, name }) => ({ resource, objectUuid, name }));
}

async function listOf(executor: Executor, resource: Resource, objectUuid: string): Promise<ComplianceProfileListDto[]> {
  const object = objectUuid.toLowerCase();
  const found = await store.findProfilesOf(executor, associatedResource(resource), [object]);
  return (await store.findSummaries(executor, found.get(object) ?? [])).map(presentSummary);
}
