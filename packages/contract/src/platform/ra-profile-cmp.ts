// CMP under the name of an RA profile: which CMP profile is activated there, with which attributes.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';
import { sightOfCredentials } from './second-objects.ts';

/** `uuid` and `name` are those of the CMP profile; empty while none is activated. */
export const RaProfileCmpDetailResponseDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    cmpAvailable: z.boolean(),
    cmpUrl: z.string().optional(),
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
    revokeCertificateAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'RaProfileCmpDetailResponseDto' });
export type RaProfileCmpDetailResponseDto = z.output<typeof RaProfileCmpDetailResponseDto>;

export const ActivateCmpForRaProfileRequestDto = z
  .object({
    /** Replace those of an earlier activation; absent: they stay. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
    revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ActivateCmpForRaProfileRequestDto' });
export type ActivateCmpForRaProfileRequestDto = z.output<typeof ActivateCmpForRaProfileRequestDto>;

export const raProfileCmpOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorRuleErrors },
  {
    getCmpForRaProfile: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp',
      summary: 'Get CMP details for RA Profile',
      answer: RaProfileCmpDetailResponseDto,
      access: raProfileOfAuthority('detail'),
    },
    activateCmpForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/activate/{cmpProfileUuid}',
      summary: 'Activate CMP for RA Profile',
      body: ActivateCmpForRaProfileRequestDto,
      answer: RaProfileCmpDetailResponseDto,
      access: raProfileOfAuthority('update'),
      also: [{ resource: 'cmpProfiles', action: 'detail', object: 'cmpProfileUuid' }, sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateCmpForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/deactivate',
      summary: 'Deactivate CMP for RA Profile',
      access: raProfileOfAuthority('update'),
      audit: 'deactivateProtocol',
    },
  },
);
