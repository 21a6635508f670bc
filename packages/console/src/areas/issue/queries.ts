// RA profiles that certificates can be issued under.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

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
    return profiles.flatMap(({ uuid, name, description, authorityInstanceUuid, authorityInstanceName }) =>
      authorityInstanceUuid === undefined
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
