// Queries for custom attributes: their definitions, and the attributes available for a resource's objects.
import { ApiError } from '@signetry/client';
import type { BaseAttributeDto, CustomAttribute, Resource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { definitionsOf } from '../ui/attributes/definitions.ts';

export const customAttributeListQuery = queryOptions({
  queryKey: ['customAttributes', 'list'],
  queryFn: async ({ signal }) => (await api.customAttributes.listCustomAttributes({}, { signal })).map(withState),
});

export const customAttributeQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['customAttributes', 'one', uuid],
    queryFn: async ({ signal }) =>
      withState(await api.customAttributes.getCustomAttribute({ params: { uuid } }, { signal })),
  });

/** The API always returns `enabled`, but the contract declares it as optional. */
const withState = <Definition extends { readonly enabled?: boolean | undefined }>(definition: Definition) => ({
  ...definition,
  enabled: definition.enabled ?? true,
});

/** Number of objects that have a value for the attribute. */
export const customAttributeUseQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['customAttributes', 'use', uuid],
    queryFn: ({ signal }) => api.customAttributeUse.getCustomAttributeUse({ params: { uuid } }, { signal }),
  });

/** Resources whose objects can have custom attributes. */
export const customizableResourcesQuery = queryOptions({
  queryKey: ['customAttributes', 'resources'],
  queryFn: ({ signal }) => api.customAttributes.getResources({}, { signal }),
  staleTime: Infinity,
});

/** A resource's enabled attributes that the user can set, with choices for credentials. */
export const resourceAttributesQuery = (resource: Resource) =>
  queryOptions({
    queryKey: ['customAttributes', 'of', resource],
    queryFn: async ({ signal }) =>
      withCredentials(
        await definitionsOf(
          await api.customAttributes.getResourceCustomAttributes({ params: { resource } }, { signal }),
        ),
        signal,
      ),
    staleTime: 30_000,
    retry: false,
  });

/** Adds the credentials that the user can list as choices of credential attributes. */
async function withCredentials(
  definitions: readonly BaseAttributeDto[],
  signal: AbortSignal,
): Promise<readonly BaseAttributeDto[]> {
  if (!definitions.some(isCredentialAttribute)) return definitions;
  const credentials = await visibleCredentials(signal);
  if (!credentials) return definitions;
  const content = credentials
    .filter(({ enabled }) => enabled)
    .map(({ uuid, name }) => ({ reference: name, data: { uuid, name } }));
  return definitions.map((definition) =>
    isCredentialAttribute(definition)
      ? { ...definition, content, properties: { ...definition.properties, list: true } }
      : definition,
  );
}

const isCredentialAttribute = (definition: BaseAttributeDto): definition is CustomAttribute =>
  definition.type === 'custom' && definition.contentType === 'credential';

/**
 * Returns undefined for users who cannot list credentials. Their credential fields are read-only and show the reason.
 */
async function visibleCredentials(signal: AbortSignal) {
  try {
    return await api.credentials.listCredentials({}, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}
