// SCEP under an RA profile's name: the activated SCEP profile and its attributes.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { sightOfCredentials } from './referenced-objects.ts';

/** `uuid` and `name` identify the SCEP profile; both are empty if none is activated. */
export const RaProfileScepDetailResponseDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    scepAvailable: z.boolean(),
    url: z.string().optional(),
    issueCertificateAttributes: z.array(ResponseAttributeDto).optional(),
  })
  .meta({ id: 'RaProfileScepDetailResponseDto' });
export type RaProfileScepDetailResponseDto = z.output<typeof RaProfileScepDetailResponseDto>;

export const ActivateScepForRaProfileRequestDto = z
  .object({
    /** Replaces the attributes from a previous activation. If absent, they are unchanged. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ActivateScepForRaProfileRequestDto' });
export type ActivateScepForRaProfileRequestDto = z.output<typeof ActivateScepForRaProfileRequestDto>;

export const raProfileScepOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorRuleErrors },
  {
    getScepForRaProfile: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep',
      summary: 'Get SCEP details for RA Profile',
      answer: RaProfileScepDetailResponseDto,
      access: raProfilePermission('detail'),
    },
    activateScepForRaProfile: {
      route:
        'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep/activate/{scepProfileUuid}',
      summary: 'Activate SCEP for RA Profile',
      body: ActivateScepForRaProfileRequestDto,
      answer: RaProfileScepDetailResponseDto,
      access: raProfilePermission('update'),
      also: [{ resource: 'scepProfiles', action: 'detail', object: 'scepProfileUuid' }, sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateScepForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep/deactivate',
      summary: 'Deactivate SCEP for RA Profile',
      access: raProfilePermission('update'),
      audit: 'deactivateProtocol',
    },
  },
);
