// Queries for expiry thresholds, and for the pausing and limits of automatic renewals.
import type { ExpiryThresholds } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Object for which thresholds are set. */
export type ThresholdHolder =
  { readonly kind: 'platform' } | { readonly kind: 'raProfiles' | 'groups'; readonly uuid: string };

export const thresholdsQuery = (holder: ThresholdHolder) =>
  queryOptions({
    queryKey: ['settings', 'expiry', holder],
    queryFn: ({ signal }): Promise<ExpiryThresholds> => {
      if (holder.kind === 'platform') return api.expiryThresholds.getExpiryThresholds({}, { signal });
      return holder.kind === 'groups'
        ? api.groupExpiryThresholds.getGroupExpiryThresholds({ params: { groupUuid: holder.uuid } }, { signal })
        : api.raProfileExpiryThresholds.getRaProfileExpiryThresholds(
            { params: { raProfileUuid: holder.uuid } },
            { signal },
          );
    },
  });

export const renewalPauseQuery = queryOptions({
  queryKey: ['settings', 'renewals'],
  queryFn: ({ signal }) => api.renewalSettings.getRenewalSettings({}, { signal }),
});

export const renewalLimitQuery = (authorityUuid: string) =>
  queryOptions({
    queryKey: ['authorities', 'renewalLimit', authorityUuid],
    queryFn: ({ signal }) => api.renewalLimits.getRenewalLimit({ params: { authorityUuid } }, { signal }),
  });
