// ACME under an RA profile's name: the activated ACME profile and its attributes.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfilePermission } from './ra-profile-access.ts';
import { sightOfCredentials } from './referenced-objects.ts';

/** `uuid` and `name` identify the ACME profile; both are empty if none is activated. */
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
    /** Replaces the attributes from a previous activation. If absent, they are unchanged. */
    issueCertificateAttributes: z.array(RequestAttributeDto).optional(),
    revokeCertificateAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'ActivateAcmeForRaProfileRequestDto' });
export type ActivateAcmeForRaProfileRequestDto = z.output<typeof ActivateAcmeForRaProfileRequestDto>;

export const raProfileAcmeOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorRuleErrors },
  {
    getAcmeForRaProfile: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme',
      summary: 'Get ACME details for RA Profile',
      answer: RaProfileAcmeDetailResponseDto,
      access: raProfilePermission('detail'),
    },
    activateAcmeForRaProfile: {
      route:
        'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/activate/{acmeProfileUuid}',
      summary: 'Activate ACME for RA Profile',
      body: ActivateAcmeForRaProfileRequestDto,
      answer: RaProfileAcmeDetailResponseDto,
      access: raProfilePermission('update'),
      also: [{ resource: 'acmeProfiles', action: 'detail', object: 'acmeProfileUuid' }, sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateAcmeForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/deactivate',
      summary: 'Deactivate ACME for RA Profile',
      access: raProfilePermission('update'),
      audit: 'deactivateProtocol',
    },
  },
);
