// Queries for the CMP, SCEP and EST pages: profiles, enrollment requests and one-time secrets.
import type { SimplifiedRaProfileDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { EnrollmentSearch } from './enrollment-search.ts';

/** Shared prefix, so that any change refetches all of them. */
export const PROTOCOLS_KEY = ['protocols'] as const;

/** Properties that the profiles of all three protocols share. */
export interface ProtocolProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly description?: string | undefined;
  readonly raProfile?: SimplifiedRaProfileDto | undefined;
  /** URL for clients; absent if the profile has no RA profile. */
  readonly url?: string | undefined;
  /** Absent if never set since the setting was introduced, in which case names are not bound. */
  readonly bindNames?: boolean | undefined;
  /** Whether the shared secret is short enough to be guessed. */
  readonly weakSecret?: boolean | undefined;
}

export type CmpProfile = Awaited<ReturnType<typeof api.cmpProfiles.getCmpProfile>> & ProtocolProfile;
export type ScepProfile = Awaited<ReturnType<typeof api.scepProfiles.getScepProfile>> & ProtocolProfile;
export type EstProfile = Awaited<ReturnType<typeof api.estProfiles.getEstProfile>>;

const withCmpUrl = <Profile extends { readonly cmpUrl?: string | undefined }>(profile: Profile) => ({
  ...profile,
  url: profile.cmpUrl,
});
const withScepUrl = <Profile extends { readonly scepUrl?: string | undefined }>(profile: Profile) => ({
  ...profile,
  url: profile.scepUrl,
});

const profileListQuery = (protocol: string, ask: (signal: AbortSignal) => Promise<readonly ProtocolProfile[]>) =>
  queryOptions({ queryKey: [...PROTOCOLS_KEY, protocol, 'list'], queryFn: ({ signal }) => ask(signal) });

export type ProfileListQuery = ReturnType<typeof profileListQuery>;

export const cmpListQuery = profileListQuery('cmp', async (signal) =>
  (await api.cmpProfiles.listCmpProfiles({}, { signal })).map(withCmpUrl),
);

export const scepListQuery = profileListQuery('scep', async (signal) =>
  (await api.scepProfiles.listScepProfiles({}, { signal })).map(withScepUrl),
);

export const estListQuery = profileListQuery('est', async (signal) => api.estProfiles.listEstProfiles({}, { signal }));

export const cmpProfileQuery = (cmpProfileUuid: string) =>
  queryOptions({
    queryKey: [...PROTOCOLS_KEY, 'cmp', 'one', cmpProfileUuid],
    queryFn: async ({ signal }): Promise<CmpProfile> =>
      withCmpUrl(await api.cmpProfiles.getCmpProfile({ params: { cmpProfileUuid } }, { signal })),
  });

export const scepProfileQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...PROTOCOLS_KEY, 'scep', 'one', uuid],
    queryFn: async ({ signal }): Promise<ScepProfile> =>
      withScepUrl(await api.scepProfiles.getScepProfile({ params: { uuid } }, { signal })),
  });

export const estProfileQuery = (estProfileUuid: string) =>
  queryOptions({
    queryKey: [...PROTOCOLS_KEY, 'est', 'one', estProfileUuid],
    queryFn: ({ signal }): Promise<EstProfile> =>
      api.estProfiles.getEstProfile({ params: { estProfileUuid } }, { signal }),
  });

/** Certificates whose keys can sign CMP responses. */
export const cmpSigningCertificatesQuery = queryOptions({
  queryKey: [...PROTOCOLS_KEY, 'cmp', 'signing-certificates'],
  queryFn: ({ signal }) => api.cmpProfiles.listCmpSigningCertificates({}, { signal }),
});

/** Certificates that SCEP requests can be encrypted to. */
export const scepCaCertificatesQuery = queryOptions({
  queryKey: [...PROTOCOLS_KEY, 'scep', 'ca-certificates'],
  queryFn: ({ signal }) => api.scepProfiles.listScepCaCertificates({ query: { intuneEnabled: false } }, { signal }),
});

export const ENROLLMENTS_PER_PAGE = 25;
const POLL_MS = 5_000;

/** Enrollment requests, newest first, optionally only those of a single profile. */
export const enrollmentsQuery = ({ page = 1, raProfile, ...search }: EnrollmentSearch, profileUuid?: string) =>
  queryOptions({
    queryKey: [...PROTOCOLS_KEY, 'enrollments', search, raProfile, profileUuid, page],
    queryFn: ({ signal }) => {
      const { protocol, state, text } = search;
      return api.enrollments.listEnrollments(
        {
          query: {
            itemsPerPage: ENROLLMENTS_PER_PAGE,
            pageNumber: page,
            ...(protocol && { protocol }),
            ...(state && { state }),
            ...(text && { text }),
            ...(raProfile && { raProfileUuid: raProfile }),
            ...(profileUuid && { profileUuid }),
          },
        },
        { signal },
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.enrollments.some(({ state }) => state === 'waiting') === true ? POLL_MS : false,
  });

/** One-time secrets of an RA profile, newest first. */
export const enrollmentSecretsQuery = (raProfileUuid: string) =>
  queryOptions({
    queryKey: [...PROTOCOLS_KEY, 'secrets', raProfileUuid],
    queryFn: ({ signal }) => api.enrollmentSecrets.listEnrollmentSecrets({ params: { raProfileUuid } }, { signal }),
  });
