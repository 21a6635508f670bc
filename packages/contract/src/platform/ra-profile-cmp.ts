// CMP under an RA profile's name: the activated CMP profile and its attributes.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { sightOfCredentials } from './referenced-objects.ts';

/** `uuid` and `name` identify the CMP profile; both are empty if none is activated. */
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
    /** Replaces the attributes from a previous activation. If absent, they are unchanged. */
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
      access: raProfilePermission('detail'),
    },
    activateCmpForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/activate/{cmpProfileUuid}',
      summary: 'Activate CMP for RA Profile',
      body: ActivateCmpForRaProfileRequestDto,
      answer: RaProfileCmpDetailResponseDto,
      access: raProfilePermission('update'),
      also: [{ resource: 'cmpProfiles', action: 'detail', object: 'cmpProfileUuid' }, sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateCmpForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/cmp/deactivate',
      summary: 'Deactivate CMP for RA Profile',
      access: raProfilePermission('update'),
      audit: 'deactivateProtocol',
    },
  },
);
