// ACME under the name of an RA profile: which ACME profile is activated there, with which attributes.
import { z } from 'zod';
import { operation } from '../operation.ts';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';

/** `uuid` and `name` are those of the ACME profile; empty while none is activated. */
export const RaProfileAcmeDetailResponseDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    acmeAvailable: z.boolean(),
    directoryUrl: z.string().optional(),
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    revokeCertificateAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'RaProfileAcmeDetailResponseDto' });
export type RaProfileAcmeDetailResponseDto = z.output<typeof RaProfileAcmeDetailResponseDto>;

export const ActivateAcmeForRaProfileRequestDto = z
  .object({
    /** Take the place of those of an earlier activation; absent: they stay. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
    revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ActivateAcmeForRaProfileRequestDto' });
export type ActivateAcmeForRaProfileRequestDto = z.output<typeof ActivateAcmeForRaProfileRequestDto>;

const tag = 'RA Profile Management';
const raProfileParams = z.object({ authorityUuid: uuid(), raProfileUuid: uuid() });
const activationParams = z.object({ authorityUuid: uuid(), raProfileUuid: uuid(), acmeProfileUuid: uuid() });
const audited = { module: 'certificates', resource: 'raProfiles' } as const;

export const raProfileAcmeOperations = {
  getAcmeForRaProfile: operation({
    id: 'getAcmeForRaProfile',
    summary: 'Get ACME details for RA Profile',
    tag,
    method: 'GET',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme',
    params: raProfileParams,
    success: { status: 200, body: RaProfileAcmeDetailResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('detail'),
  }),
  activateAcmeForRaProfile: operation({
    id: 'activateAcmeForRaProfile',
    summary: 'Activate ACME for RA Profile',
    tag,
    method: 'PATCH',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/activate/{acmeProfileUuid}',
    params: activationParams,
    body: ActivateAcmeForRaProfileRequestDto,
    success: { status: 200, body: RaProfileAcmeDetailResponseDto },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('update'),
    also: [{ resource: 'acmeProfiles', action: 'detail', object: 'acmeProfileUuid' }],
    audit: { ...audited, operation: 'activateProtocol' },
  }),
  deactivateAcmeForRaProfile: operation({
    id: 'deactivateAcmeForRaProfile',
    summary: 'Deactivate ACME for RA Profile',
    tag,
    method: 'PATCH',
    path: '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/deactivate',
    params: raProfileParams,
    success: { status: 204 },
    errors: [400, 401, 403, 404, 422, 500, 502, 503],
    access: raProfileOfAuthority('update'),
    audit: { ...audited, operation: 'deactivateProtocol' },
  }),
};
