// Operations of connectors of the first generation that list what their authority offers.
import { NameAndIdDto, operation, queryInt32 } from '@signetry/contract';
import { z } from 'zod';

const tag = 'End Entity Profiles';
const authorityParams = z.object({ uuid: z.string() });
const profileParams = z.object({ uuid: z.string(), endEntityProfileId: queryInt32() });
const listed = { status: 200, body: z.array(NameAndIdDto) } as const;

export const legacyAuthorityOperations = {
  listEntityProfiles: operation({
    id: 'listEntityProfiles',
    summary: 'List available end entity profiles',
    tag,
    method: 'GET',
    path: '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles',
    params: authorityParams,
    success: listed,
    errors: [400, 401, 403, 404, 500],
  }),
  listCertificateProfiles: operation({
    id: 'listCertificateProfiles',
    summary: 'List available certificate profiles for an end entity profile',
    tag,
    method: 'GET',
    path: '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/certificateprofiles',
    params: profileParams,
    success: listed,
    errors: [400, 401, 403, 404, 500],
  }),
  listCAsInProfile: operation({
    id: 'listCAsInProfile',
    summary: 'List available certification authorities for an end entity profile',
    tag,
    method: 'GET',
    path: '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/cas',
    params: profileParams,
    success: listed,
    errors: [400, 401, 403, 404, 500],
  }),
};
