// Queries for the settings pages.
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

export const platformSettingsQuery = queryOptions({
  queryKey: ['settings', 'platform'],
  queryFn: ({ signal }) => api.platformSettings.getPlatformSettings({}, { signal }),
});

export const loggingSettingsQuery = queryOptions({
  queryKey: ['settings', 'logging'],
  queryFn: ({ signal }) => api.loggingSettings.getLoggingSettings({}, { signal }),
});

export const retentionQuery = queryOptions({
  queryKey: ['settings', 'retention'],
  queryFn: ({ signal }) => api.retention.getRetentionSettings({}, { signal }),
});

export const authenticationSettingsQuery = queryOptions({
  queryKey: ['settings', 'authentication'],
  queryFn: ({ signal }) => api.authenticationSettings.getAuthenticationSettings({}, { signal }),
});

/** Providers are identified by name. */
export const identityProviderQuery = (name: string) =>
  queryOptions({
    queryKey: ['settings', 'authentication', name],
    queryFn: async ({ signal }) => {
      const params = { providerName: name };
      const provider = await api.authenticationSettings.getOAuth2ProviderSettings({ params }, { signal });
      return { ...provider, uuid: name };
    },
  });

export const provisioningQuery = (name: string) =>
  queryOptions({
    queryKey: ['settings', 'authentication', name, 'provisioning'],
    queryFn: ({ signal }) =>
      api.identityProviders.getProviderProvisioning({ params: { providerName: name } }, { signal }),
  });

export const auditReadsQuery = queryOptions({
  queryKey: ['settings', 'auditReads'],
  queryFn: async ({ signal }) => {
    const { allResources, resources = [] } = await api.auditReadsSettings.getAuditReadsSettings({}, { signal });
    return { allResources, resources };
  },
});

/** Polled while a run is active. */
export const validationRunQuery = queryOptions({
  queryKey: ['validationRun'],
  queryFn: ({ signal }) => api.validationRuns.getValidationRun({}, { signal }),
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? 2_000 : false),
});
