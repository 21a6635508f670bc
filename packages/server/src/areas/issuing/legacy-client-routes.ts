// v1 client operations: certificates of end entities, under an RA profile identified by name.
import { legacyClientOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { createEndEntities, type EndEntityParts } from './end-entities/end-entities.ts';
import { issueToEndEntity } from './end-entities/issue.ts';
import { assertMember, legacyProfile } from './end-entities/legacy-profile.ts';
import { revokeNamed } from './end-entities/revoke.ts';
import type { Issuance } from './issuance/issuance.ts';

export interface LegacyClientRouteParts extends EndEntityParts {
  readonly issuance: Pick<Issuance, 'perform'>;
  readonly raProfiles: RaProfiles;
}

export function legacyClientRoutes(parts: LegacyClientRouteParts): readonly Route[] {
  const { raProfiles } = parts;
  const entities = createEndEntities(parts);
  const profileOf = (params: { readonly raProfileName: string }, context: RequestContext) =>
    legacyProfile(raProfiles, params.raProfileName, context);
  const revocationProfileOf: typeof profileOf = async (params, context) => {
    const profile = await profileOf(params, context);
    assertMember(profile, context);
    return profile;
  };

  return routes(legacyClientOperations, {
    issueLegacyCertificate: async ({ params, body, context }) => {
      const profile = await profileOf(params, context);
      const der = await issueToEndEntity(parts, { profile, given: body }, context);
      return { certificateData: Buffer.from(der).toString('base64') };
    },
    revokeLegacyCertificate: async ({ params, body, context }) => {
      await revokeNamed(parts, { profile: await revocationProfileOf(params, context), given: body }, context);
      return undefined;
    },
    listEntities: async ({ params, context }) => entities.list(await profileOf(params, context), context),
    addEndEntity: async ({ params, body, context }) => {
      await entities.add(await profileOf(params, context), body, context);
      return undefined;
    },
    getEndEntity: async ({ params, context }) =>
      entities.get({ profile: await profileOf(params, context), username: params.username }, context),
    editEndEntity: async ({ params, body, context }) => {
      const profile = await profileOf(params, context);
      await entities.edit({ profile, username: params.username }, body, context);
      return undefined;
    },
    revokeAndDeleteEndEntity: async ({ params, context }) => {
      const profile = await revocationProfileOf(params, context);
      await entities.remove({ profile, username: params.username }, context);
      return undefined;
    },
    resetPassword: async ({ params, context }) => {
      await entities.resetPassword({ profile: await profileOf(params, context), username: params.username }, context);
      return undefined;
    },
  });
}
