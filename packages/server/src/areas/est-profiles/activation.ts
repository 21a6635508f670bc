// Presents RA profiles' EST activation in the API format.
import type { ActivateEstRequest, RaProfileEstDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { activateProfile, findActivation, type ActivationKey } from '../protocol-profiles/index.ts';
import { estUrl } from './protocol.ts';
import type { EstProfileParts } from './service.ts';

export async function activationDetail(parts: EstProfileParts, key: ActivationKey): Promise<RaProfileEstDto> {
  const activation = await findActivation(parts, key);
  if (!activation) return { uuid: '', name: '', estAvailable: false };
  const { uuid, name, raProfileName, attributes } = activation;
  return {
    uuid,
    name,
    estAvailable: true,
    url: estUrl(parts.urlBase(), { family: 'raProfile', name: raProfileName }),
    issueCertificateAttributes: attributes.issueCertificateAttributes,
  };
}

export async function activate(
  parts: EstProfileParts,
  {
    estProfileUuid,
    request,
    ...key
  }: ActivationKey & { readonly estProfileUuid: string; readonly request: ActivateEstRequest },
  context: RequestContext,
): Promise<RaProfileEstDto> {
  await activateProfile(parts, { key, uuid: estProfileUuid, request }, context);
  return activationDetail(parts, key);
}
