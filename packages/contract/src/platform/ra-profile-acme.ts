// ACME under the name of an RA profile: which ACME profile is activated there, with which attributes.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';
import { sightOfCredentials } from './second-objects.ts';

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
    /** Replace those of an earlier activation; absent: they stay. */
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
      access: raProfileOfAuthority('detail'),
    },
    activateAcmeForRaProfile: {
      route:
        'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/activate/{acmeProfileUuid}',
      summary: 'Activate ACME for RA Profile',
      body: ActivateAcmeForRaProfileRequestDto,
      answer: RaProfileAcmeDetailResponseDto,
      access: raProfileOfAuthority('update'),
      also: [{ resource: 'acmeProfiles', action: 'detail', object: 'acmeProfileUuid' }, sightOfCredentials],
      audit: 'activateProtocol',
    },
    deactivateAcmeForRaProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/acme/deactivate',
      summary: 'Deactivate ACME for RA Profile',
      access: raProfileOfAuthority('update'),
      audit: 'deactivateProtocol',
    },
  },
);
