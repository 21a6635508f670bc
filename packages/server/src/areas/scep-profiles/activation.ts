// Presents RA profiles' SCEP activation in the API format.
import type { ActivateScepForRaProfileRequestDto, RaProfileScepDetailResponseDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { activateProfile, findActivation, type ActivationKey } from '../protocol-profiles/index.ts';
import { scepUrl } from './scep-url.ts';
import type { ScepProfileParts } from './service.ts';

export async function activationDetail(
  parts: ScepProfileParts,
  key: ActivationKey,
): Promise<RaProfileScepDetailResponseDto> {
  const activation = await findActivation(parts, key);
  if (!activation) return { uuid: '', name: '', scepAvailable: false };
  const { uuid, name, raProfileName, attributes } = activation;
  return {
    uuid,
    name,
    scepAvailable: true,
    url: scepUrl(parts.directoryBase(), { family: 'raProfile', name: raProfileName }),
    ...attributes,
  };
}

export async function activate(
  parts: ScepProfileParts,
  {
    scepProfileUuid,
    request,
    ...key
  }: ActivationKey & { readonly scepProfileUuid: string; readonly request: ActivateScepForRaProfileRequestDto },
  context: RequestContext,
): Promise<RaProfileScepDetailResponseDto> {
  await activateProfile(parts, { key, uuid: scepProfileUuid, request }, context);
  return activationDetail(parts, key);
}
