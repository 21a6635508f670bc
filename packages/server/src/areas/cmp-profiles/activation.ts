// Presents the CMP activation of RA profiles in the API format.
import type { ActivateCmpForRaProfileRequestDto, RaProfileCmpDetailResponseDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { activateProfile, findActivation, type ActivationKey } from '../protocol-profiles/index.ts';
import { cmpUrl } from './cmp-url.ts';
import type { CmpProfileParts } from './service.ts';

export async function activationDetail(
  parts: CmpProfileParts,
  key: ActivationKey,
): Promise<RaProfileCmpDetailResponseDto> {
  const activation = await findActivation(parts, key);
  if (!activation) return { uuid: '', name: '', cmpAvailable: false };
  const { uuid, name, raProfileName, attributes } = activation;
  return {
    uuid,
    name,
    cmpAvailable: true,
    cmpUrl: cmpUrl(parts.directoryBase(), { family: 'raProfile', name: raProfileName }),
    ...attributes,
  };
}

export async function activate(
  parts: CmpProfileParts,
  {
    cmpProfileUuid,
    request,
    ...key
  }: ActivationKey & { readonly cmpProfileUuid: string; readonly request: ActivateCmpForRaProfileRequestDto },
  context: RequestContext,
): Promise<RaProfileCmpDetailResponseDto> {
  await activateProfile(parts, { key, uuid: cmpProfileUuid, request }, context);
  return activationDetail(parts, key);
}
