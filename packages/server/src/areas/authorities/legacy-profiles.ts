// Options of v1 authorities: end entity profiles, and the certificate profiles and CAs in each profile.
import {
  legacyAuthorityProviderOperations,
  type BaseAttributeDto,
  type NameAndIdDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { dataAttribute, validateAttributes } from '@signetry/connector-sdk';
import { notFound, rejected } from '../../kernel/errors.ts';
import { isMissing, type ConnectorClient } from '../connectors/index.ts';

/** A call that lists names. The last two operations are for a specific end entity profile. */
export interface LegacyCall {
  readonly operation: 'listEntityProfiles' | 'listCertificateProfiles' | 'listCAsInProfile';
  readonly endEntityProfileId?: number;
}

interface Instance {
  readonly client: ConnectorClient;
  readonly params: { readonly uuid: string };
}

/** Lists names at a v1 authority. Throws 404 for other authorities, because they have none. */
export async function listLegacyNames(
  {
    authority,
    client,
    params,
  }: Instance & { readonly authority: { readonly name: string; readonly isLegacy: boolean } },
  { operation, endEntityProfileId, signal }: LegacyCall & { readonly signal: AbortSignal },
): Promise<NameAndIdDto[]> {
  if (!authority.isLegacy) throw notFound('End entity profiles of authority', authority.name);
  if (endEntityProfileId === undefined)
    return client.call(legacyAuthorityProviderOperations.listEntityProfiles, { params }, { signal });
  return client.call(
    legacyAuthorityProviderOperations[operation],
    { params: { ...params, endEntityProfileId } },
    { signal },
  );
}

/**
 * Returns attribute definitions for RA profiles, even if the connector does not provide any: v1 of the interface does
 * not require them, but every call requires an end entity profile.
 */
export async function definitionsOrDefault(
  ask: () => Promise<BaseAttributeDto[]>,
  { client, params }: Instance,
  signal: AbortSignal | undefined,
): Promise<BaseAttributeDto[]> {
  try {
    return await ask();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const profiles = await client.call(legacyAuthorityProviderOperations.listEntityProfiles, { params }, { signal });
    return [endEntityProfileAttribute(profiles)];
  }
}

/** Validates values against the definitions if the connector cannot validate them itself. */
export async function validateOrCheck(
  judge: () => Promise<unknown>,
  requested: readonly RequestAttributeDto[],
  define: () => Promise<BaseAttributeDto[]>,
): Promise<void> {
  try {
    await judge();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const problems = validateAttributes(await define(), requested);
    if (problems.length > 0) throw rejected(...problems);
  }
}

const endEntityProfileAttribute = (profiles: readonly NameAndIdDto[]): BaseAttributeDto =>
  dataAttribute({
    uuid: 'a9d4a5c6-2f0b-4c1e-9f57-6a1f0f6c2b71',
    name: 'endEntityProfile',
    label: 'End entity profile',
    description: 'Profile under which end entities are registered and certificates are issued.',
    contentType: 'object',
    required: true,
    choices: profiles.map(({ id, name }) => ({ reference: name, data: { id, name } })),
  });
