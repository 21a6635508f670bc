// Queries for automation: triggers and their components.
import type { PlacedTrigger, Resource, SearchFieldDataByGroupDto, UsedAction, UsedRule } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** Shared prefix, so that any change refetches all data related to rules. */
export const WORKFLOWS_KEY = ['workflows'] as const;

export const placedTriggersQuery = queryOptions({
  queryKey: [...WORKFLOWS_KEY, 'triggers'],
  queryFn: ({ signal }): Promise<PlacedTrigger[]> => api.workflowDefinitions.listPlacedTriggers({}, { signal }),
});

export const ruleDetailsQuery = queryOptions({
  queryKey: [...WORKFLOWS_KEY, 'rules'],
  queryFn: ({ signal }): Promise<UsedRule[]> => api.workflowDefinitions.listRuleDetails({}, { signal }),
});

export const actionDetailsQuery = queryOptions({
  queryKey: [...WORKFLOWS_KEY, 'actions'],
  queryFn: ({ signal }): Promise<UsedAction[]> => api.workflowDefinitions.listActionDetails({}, { signal }),
});

export const conditionListQuery = queryOptions({
  queryKey: [...WORKFLOWS_KEY, 'conditions'],
  queryFn: ({ signal }) => api.workflowDefinitions.listUsedConditions({}, { signal }),
});

export const executionListQuery = queryOptions({
  queryKey: [...WORKFLOWS_KEY, 'executions'],
  queryFn: ({ signal }) => api.workflowDefinitions.listUsedExecutions({}, { signal }),
});

const FIELDS_FRESH_MS = 60_000;

/** Fields that conditions can compare. Objects are compared by name. */
export const comparableFieldsQuery = (resource: Resource) =>
  queryOptions({
    queryKey: ['ruleFields', resource],
    queryFn: async ({ signal }): Promise<readonly SearchFieldDataByGroupDto[]> => {
      const groups = await api.catalogues.listResourceRuleFilterFields({ params: { resource } }, { signal });
      return groups.map((group) => ({
        ...group,
        searchFieldData: (group.searchFieldData ?? []).map((field) =>
          Array.isArray(field.value) ? { ...field, value: field.value.map(nameOrValue) } : field,
        ),
      }));
    },
    staleTime: FIELDS_FRESH_MS,
  });

const nameOrValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : value;

/** Fields that executions can set, with the objects that can be assigned. */
export const settableFieldsQuery = (resource: Resource) =>
  queryOptions({
    queryKey: ['ruleFields', resource, 'settable'],
    queryFn: ({ signal }) =>
      api.catalogues.listResourceRuleFilterFields({ params: { resource }, query: { settable: true } }, { signal }),
    staleTime: FIELDS_FRESH_MS,
  });
