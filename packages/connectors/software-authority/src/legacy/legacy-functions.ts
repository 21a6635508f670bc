// First-generation operations on CAs, on the choices in end entity profiles, and on end entities.
import { rejected, type HandlersOf } from '@signetry/connector-sdk';
import type { AuthorityProviderInstanceDto, functionGroupOperations, RequestAttributeDto } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import type { AuthorityFunctions } from '../authority-handlers.ts';
import { gatherProblems } from '../problems.ts';
import { presentCertificateProfile } from './certificate-profiles.ts';
import {
  addEndEntity,
  editEndEntity,
  getEndEntity,
  listEndEntities,
  removeEndEntity,
  resetPassword,
} from './end-entities.ts';
import { DEFAULT_END_ENTITY_PROFILES, readEndEntityProfiles } from './end-entity-profiles.ts';
import { enroll } from './enroll.ts';
import { endEntityProfilesAttribute, readEndEntityProfilesText, withoutLegacy } from './legacy-attributes.ts';
import { endEntityProfilesOf, profileOfPath, profilesTextOf, type LegacyParts } from './legacy-parts.ts';
import { checkRaProfile, presentAuthorityName, raProfileDefinitions } from './legacy-ra-profile.ts';
import { revokeNamed } from './revoke-named.ts';

type Functions = HandlersOf<typeof functionGroupOperations.legacyAuthorityProvider>;

/** Returns the CA operations, with end entity profiles added to the CA form. */
export function instanceFunctions(parts: LegacyParts, authorities: Omit<AuthorityFunctions, 'form'>) {
  const { entities } = parts;
  const { definitions, check, ...functions } = authorities;

  const withProfiles = async (instance: AuthorityProviderInstanceDto): Promise<AuthorityProviderInstanceDto> => ({
    ...instance,
    attributes: [...instance.attributes, endEntityProfilesAttribute(await profilesTextOf(parts, instance.uuid))],
  });
  return {
    ...functions,
    listAttributeDefinitions: async () => [
      ...(await definitions()),
      endEntityProfilesAttribute(DEFAULT_END_ENTITY_PROFILES),
    ],
    validateAttributes: async ({ body }) => {
      readProfilesText(body);
      await check(withoutLegacy(body));
    },
    listAuthorityInstances: async () => Promise.all((await functions.listAuthorityInstances()).map(withProfiles)),
    getAuthorityInstance: async (call) => withProfiles(await functions.getAuthorityInstance(call)),
    createAuthorityInstance: async (call) => {
      const text = readProfilesText(call.body.attributes);
      const body = { ...call.body, attributes: withoutLegacy(call.body.attributes) };
      const instance = await functions.createAuthorityInstance({ ...call, body });
      if (text !== undefined) await entities.saveProfiles(instance.uuid, text);
      return withProfiles(instance);
    },
    updateAuthorityInstance: async (call) => {
      const { uuid } = call.params;
      const text = readProfilesText(call.body.attributes);
      if (text !== undefined) await rejectLostProfiles(parts, uuid, text);
      const body = { ...call.body, attributes: withoutLegacy(call.body.attributes) };
      const instance = await functions.updateAuthorityInstance({ ...call, body });
      if (text !== undefined) await entities.saveProfiles(uuid, text);
      return withProfiles(instance);
    },
  } satisfies Functions;
}

function readProfilesText(attributes: readonly RequestAttributeDto[]): string | undefined {
  const text = readEndEntityProfilesText(attributes);
  const problems = gatherProblems();
  if (text !== undefined) readEndEntityProfiles(text, problems);
  problems.refuse();
  return text;
}

/** Rejects the removal of profiles that end entities use. */
async function rejectLostProfiles({ entities }: LegacyParts, authorityUuid: string, text: string): Promise<void> {
  const names = new Set(readEndEntityProfiles(text, gatherProblems()).map(({ name }) => name));
  const lost = (await entities.findUsedProfiles(authorityUuid)).filter((name) => !names.has(name));
  if (lost.length > 0)
    throw rejected(`Cannot remove end entity profiles ${lost.join(', ')}: they have end entities. Remove those first.`);
}

export const profileFunctions = (parts: LegacyParts) =>
  ({
    listRAProfileAttributes: ({ params }) => raProfileDefinitions(parts, params.uuid),
    validateRAProfileAttributes: ({ params, body }) => checkRaProfile(parts, params.uuid, body),
    listEntityProfiles: async ({ params }) => {
      const { uuid } = await parts.registry.get(params.uuid);
      return (await endEntityProfilesOf(parts, uuid)).map(({ id, name }) => ({ id, name }));
    },
    listCertificateProfiles: async ({ params }) => {
      const { profile } = await profileOfPath(parts, params.uuid, params.endEntityProfileId);
      return profile.certificateProfiles.map(presentCertificateProfile);
    },
    listCAsInProfile: async ({ params }) => {
      const { authority } = await profileOfPath(parts, params.uuid, params.endEntityProfileId);
      return [presentAuthorityName(authority)];
    },
  }) satisfies Functions;

export const endEntityFunctions = (parts: LegacyParts) =>
  ({
    listEndEntities: ({ params }) => listEndEntities(parts, params),
    getEndEntity: ({ params }) => getEndEntity(parts, params),
    createEndEntity: ({ params, body }) => addEndEntity(parts, params, body),
    updateEndEntity: ({ params, body }) => editEndEntity(parts, params, body),
    removeEndEntity: ({ params }) => removeEndEntity(parts, params),
    resetPassword: ({ params }) => resetPassword(parts, params),
    issueCertificate: async ({ params, body, idempotencyKey }) => {
      const { der } = await enroll(parts, { path: params, given: body, idempotencyKey });
      return { certificateData: toBase64(der) };
    },
    revokeCertificate: ({ params, body, idempotencyKey }) =>
      revokeNamed(parts, { path: params, given: body, idempotencyKey }),
  }) satisfies Functions;
