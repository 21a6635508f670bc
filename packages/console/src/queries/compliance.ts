// Queries for the compliance pages. Running checks are polled.
import type { ComplianceRunDto, ComplianceRuleListDto, Resource } from '@signetry/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const POLL_MS = 1_000;
const RUNS_SHOWN = 10;

/** Compliance profile as returned by the platform. */
export type ProfileDetail = Awaited<ReturnType<typeof api.complianceProfiles.getComplianceProfileV2>>;

/** Rule defined on the platform. */
export type OwnRule = Awaited<ReturnType<typeof api.complianceProfiles.getComplianceRulesV2>>[number];

export const complianceProfileListQuery = queryOptions({
  queryKey: ['complianceProfiles', 'list'],
  queryFn: ({ signal }) => api.complianceProfiles.listComplianceProfilesV2({}, { signal }),
});

export const complianceProfileQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['complianceProfiles', 'one', uuid],
    queryFn: ({ signal }) => api.complianceProfiles.getComplianceProfileV2({ params: { uuid } }, { signal }),
  });

export const associationsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['complianceProfiles', 'one', uuid, 'associations'],
    queryFn: ({ signal }) => api.complianceProfiles.getAssociationsV2({ params: { uuid } }, { signal }),
  });

/** Rules defined on the platform. */
export const ownRuleListQuery = queryOptions({
  queryKey: ['complianceProfiles', 'rules'],
  queryFn: ({ signal }) => api.complianceProfiles.getComplianceRulesV2({ query: {} }, { signal }),
});

/** Connector kind that provides rules. */
export interface RuleSource {
  readonly connectorUuid: string;
  readonly connectorName: string;
  readonly kind: string;
}

/** Rule or rule group provided by a connector. */
export type OfferedRule = Pick<ComplianceRuleListDto, 'uuid' | 'name' | 'description'> &
  RuleSource & { readonly isGroup: boolean; readonly resource: Resource | undefined };

/** Rules offered by a source, groups first. */
export const offeredRulesQuery = (source: RuleSource) =>
  queryOptions({
    queryKey: ['complianceProfiles', 'offered', source.connectorUuid, source.kind],
    queryFn: async ({ signal }): Promise<readonly OfferedRule[]> => {
      const query = { connectorUuid: source.connectorUuid, kind: source.kind };
      const [groups, rules] = await Promise.all([
        api.complianceProfiles.getComplianceGroupsV2({ query }, { signal }),
        api.complianceProfiles.getComplianceRulesV2({ query }, { signal }),
      ]);
      const offered =
        (isGroup: boolean) =>
        ({ uuid, name, description, resource }: (typeof groups)[number]) => ({
          ...source,
          uuid,
          name,
          description,
          resource,
          isGroup,
        });
      return [
        ...groups.map(offered(true)),
        ...rules.map((rule) => offered(false)({ ...rule, connectorUuid: source.connectorUuid, kind: source.kind })),
      ];
    },
    staleTime: 60_000,
  });

export const isOpen = ({ state }: ComplianceRunDto): boolean => state === 'running' || state === 'waiting';

export const runListQuery = queryOptions({
  queryKey: ['complianceRuns'],
  queryFn: ({ signal }) =>
    api.complianceRuns.listComplianceRuns({ query: { itemsPerPage: RUNS_SHOWN, pageNumber: 1 } }, { signal }),
  refetchInterval: ({ state: { data } }) => (data?.runs.some(isOpen) === true ? POLL_MS : false),
});

/** Object that is checked: a certificate, CSR or key. */
export interface CheckedObject {
  readonly resource: 'certificates' | 'certificateRequests' | 'keys';
  readonly objectUuid: string;
}

/** Result of the latest check. `after` is the time of the previous result while waiting for a new one. */
export const resultQuery = ({ resource, objectUuid }: CheckedObject, wait?: { readonly after: string | undefined }) =>
  queryOptions({
    queryKey: [resource === 'keys' ? 'keys' : 'certificates', 'compliance', resource, objectUuid],
    queryFn: ({ signal }) =>
      api.compliance.getComplianceCheckResultV2({ params: { resource, objectUuid } }, { signal }),
    refetchInterval: ({ state: { data } }) => (wait && data?.timestamp === wait.after ? POLL_MS : false),
  });
