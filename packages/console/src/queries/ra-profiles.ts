// Queries for the RA profile pages.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const raProfileListQuery = queryOptions({
  queryKey: ['raProfiles', 'list'],
  queryFn: ({ signal }) => api.raProfiles.listRaProfiles({}, { signal }),
});

export const raProfileQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['raProfiles', 'one', uuid],
    queryFn: ({ signal }) =>
      api.raProfiles.getRaProfileWithoutAuthority({ params: { raProfileUuid: uuid } }, { signal }),
  });

export const renewalSettingsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['raProfiles', 'renewal', uuid],
    queryFn: ({ signal }) => api.automaticRenewal.getAutomaticRenewal({ params: { raProfileUuid: uuid } }, { signal }),
  });

/** Number of renewals shown on an RA profile's page. */
const SHOWN_RENEWALS = 5;

export const renewalsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['raProfiles', 'renewals', uuid],
    queryFn: ({ signal }) =>
      api.automaticRenewal.listAutomaticRenewals(
        { params: { raProfileUuid: uuid }, query: { itemsPerPage: SHOWN_RENEWALS } },
        { signal },
      ),
  });

/** RA profile that certificates can be issued under. */
export interface IssuingProfile {
  readonly uuid: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly authorityUuid: string;
  readonly authorityName: string;
}

export const issuingProfilesQuery = queryOptions({
  queryKey: ['raProfiles', 'issuing'],
  queryFn: async ({ signal }): Promise<readonly IssuingProfile[]> => {
    const profiles = await api.raProfiles.listRaProfiles({ query: { enabled: true } }, { signal });
    return profiles.flatMap(({ uuid, name, description, authorityInstanceUuid, authorityInstanceName, ...profile }) =>
      // First-generation authorities issue to end entities, which authenticate with a username and password.
      authorityInstanceUuid === undefined || profile.legacyAuthority === true
        ? []
        : [
            {
              uuid,
              name,
              description,
              authorityUuid: authorityInstanceUuid,
              authorityName: authorityInstanceName ?? '',
            },
          ],
    );
  },
});
