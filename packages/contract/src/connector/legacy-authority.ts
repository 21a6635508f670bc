// Operations for first-generation authority providers, in addition to those on their instances. Certificates are issued
// to end entities under the authority's end entity profiles.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { NameAndIdDto } from '../shared/objects.ts';
import { queryInt32 } from '../shared/query.ts';
import {
  AddEndEntityRequestDto,
  CertificateSignResponseDto,
  EditEndEntityRequestDto,
  EndEntityDto,
  LegacyCertRevocationDto,
  LegacyCertificateSignRequestDto,
} from './legacy-authority-shapes.ts';

const tags = {
  entities: 'End Entity Management',
  profiles: 'End Entity Profiles',
  certificates: 'Certificate Management',
};
const profileId = z.object({ uuid: z.string(), endEntityProfileId: queryInt32() });
const profileName = z.object({ uuid: z.string(), endEntityProfileName: z.string() });
const endEntity = z.object({ uuid: z.string(), endEntityProfileName: z.string(), endEntityName: z.string() });
const names = z.array(NameAndIdDto);

export const legacyAuthorityProviderOperations = operations(
  { tag: tags.entities, errors: objectErrors },
  {
    listEntityProfiles: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/endEntityProfiles',
      summary: 'List available end entity profiles',
      tag: tags.profiles,
      params: z.object({ uuid: z.string() }),
      answer: names,
    },
    listCertificateProfiles: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/certificateprofiles',
      summary: 'List available certificate profiles for an end entity profile',
      tag: tags.profiles,
      params: profileId,
      answer: names,
    },
    listCAsInProfile: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/cas',
      summary: 'List available certification authorities for an end entity profile',
      tag: tags.profiles,
      params: profileId,
      answer: names,
    },
    listEndEntities: {
      route: 'GET /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities',
      summary: 'List End Entities',
      params: profileName,
      answer: z.array(EndEntityDto),
    },
    createEndEntity: {
      route: 'POST /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities',
      summary: 'Create End Entity',
      params: profileName,
      body: AddEndEntityRequestDto,
      success: { status: 200 },
    },
    getEndEntity: {
      route:
        'GET /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
      summary: 'Get End Entity',
      params: endEntity,
      answer: EndEntityDto,
    },
    updateEndEntity: {
      route:
        'POST /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
      summary: 'Update End Entity',
      params: endEntity,
      body: EditEndEntityRequestDto,
      success: { status: 200 },
      repeated: 'same',
    },
    removeEndEntity: {
      route:
        'DELETE /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
      summary: 'Remove End Entity',
      params: endEntity,
      success: { status: 200 },
    },
    /** The authority generates a new password and delivers it, so a repeated call delivers a second one. */
    resetPassword: {
      route:
        'PUT /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}/resetPassword',
      summary: 'Reset End Entity password',
      params: endEntity,
      success: { status: 200 },
      repeated: 'again',
    },
    issueCertificate: {
      route:
        'POST /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/certificates/issue',
      id: 'issueCertificate_Certificate',
      summary: 'Issue Certificate',
      tag: tags.certificates,
      params: profileName,
      body: LegacyCertificateSignRequestDto,
      answer: CertificateSignResponseDto,
    },
    revokeCertificate: {
      route:
        'POST /v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/certificates/revoke',
      id: 'revokeCertificate_Certificate',
      summary: 'Revoke Certificate',
      tag: tags.certificates,
      params: profileName,
      body: LegacyCertRevocationDto,
      success: { status: 200 },
    },
  },
);
