// Presents the ACME activation of RA profiles in the API format.
import type { ActivateAcmeForRaProfileRequestDto, RaProfileAcmeDetailResponseDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { activateProfile, findActivation, type ActivationKey } from '../protocol-profiles/index.ts';
import { directoryUrl } from './directory-url.ts';
import type { AcmeProfileParts } from './service.ts';

export async function activationDetail(
  parts: AcmeProfileParts,
  key: ActivationKey,
): Promise<RaProfileAcmeDetailResponseDto> {
  const activation = await findActivation(parts, key);
  if (!activation) return { uuid: '', name: '', acmeAvailable: false };
  const { uuid, name, raProfileName, attributes } = activation;
  return {
    uuid,
    name,
    acmeAvailable: true,
    directoryUrl: directoryUrl(parts.directoryBase(), { family: 'raProfile', name: raProfileName }),
    ...attributes,
  };
}

export async function activate(
  parts: AcmeProfileParts,
  {
    acmeProfileUuid,
    request,
    ...key
  }: ActivationKey & { readonly acmeProfileUuid: string; readonly request: ActivateAcmeForRaProfileRequestDto },
  context: RequestContext,
): Promise<RaProfileAcmeDetailResponseDto> {
  await activateProfile(parts, { key, uuid: acmeProfileUuid, request }, context);
  return activationDetail(parts, key);
}
