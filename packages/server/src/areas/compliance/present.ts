// Presents compliance profiles, rules and results in the API format.
import type {
  ComplianceCheckResultDto,
  ComplianceGroupDto,
  ComplianceGroupListDto,
  ComplianceProfileListDto,
  ComplianceRuleDto,
  ComplianceRuleListDto,
  ComplianceRunDto,
  ResponseAttributeDto,
} from '@signetry/contract';
import { violatedFirst } from './outcomes.ts';
import { describeDifference } from './rule-results.ts';
import type { Batch, Provider, ProviderGroup, ProviderRule } from './providers.ts';
import type { Summary } from './store.ts';
import type { InternalRuleRow, ProviderRuleRow, ResultRow, RunRow } from './tables.ts';

const optionalDescription = ({ description }: { readonly description: string | null | undefined }) =>
  description === null || description === undefined ? {} : { description };

export const presentSummary = (row: Summary): ComplianceProfileListDto => ({
  uuid: row.uuid,
  name: row.name,
  ...optionalDescription(row),
  providerRulesCount: row.provider_rules,
  providerGroupsCount: row.provider_groups,
  internalRulesCount: row.internal_rules,
  associations: row.associations,
});

const presentInternalFacts = (row: InternalRuleRow) => ({
  uuid: row.uuid,
  name: row.name,
  ...optionalDescription(row),
  resource: row.resource,
  conditionItems: [...row.conditions],
});

export const presentListedInternalRule = (row: InternalRuleRow): ComplianceRuleListDto => presentInternalFacts(row);

export const presentInternalRule = (row: InternalRuleRow): ComplianceRuleDto => ({
  ...presentInternalFacts(row),
  availabilityStatus: 'available',
});

export const presentListedRule = (
  { connectorUuid, kind }: Pick<Provider, 'connectorUuid' | 'kind'>,
  rule: ProviderRule,
): ComplianceRuleListDto => ({
  uuid: rule.uuid,
  name: rule.name,
  ...optionalDescription(rule),
  connectorUuid,
  kind,
  ...(rule.groupUuid === undefined ? {} : { groupUuid: rule.groupUuid }),
  resource: rule.resource,
  ...(rule.type === undefined ? {} : { type: rule.type }),
  ...(rule.format === undefined ? {} : { format: rule.format }),
  attributes: [...rule.attributes],
});

export const presentListedGroup = (
  { connectorUuid, kind }: Pick<Provider, 'connectorUuid' | 'kind'>,
  group: ProviderGroup,
): ComplianceGroupListDto => ({
  uuid: group.uuid,
  name: group.name,
  ...optionalDescription(group),
  connectorUuid,
  kind,
  ...(group.resource === undefined ? {} : { resource: group.resource }),
});

/** A provider's current rules and groups, or the reason why it could not be called. */
export type Availability = Batch | { readonly unavailable: string };

/** Returns whether a rule or group has changed since it was added. */
function availabilityOf(
  row: ProviderRuleRow,
  now: Availability,
): Pick<ComplianceRuleDto, 'availabilityStatus' | 'updatedReason'> {
  if ('unavailable' in now) return { availabilityStatus: 'not_available', updatedReason: now.unavailable };
  const there = row.is_group ? now.groups.get(row.provider_uuid) : now.rules.get(row.provider_uuid);
  if (!there) return { availabilityStatus: 'not_available', updatedReason: 'The provider no longer offers it.' };
  const updatedReason = describeDifference(row, { type: row.type, format: row.format, ...there });
  return updatedReason === undefined
    ? { availabilityStatus: 'available' }
    : { availabilityStatus: 'updated', updatedReason };
}

export const presentProviderRule = (
  row: ProviderRuleRow,
  now: Availability,
  attributes: readonly ResponseAttributeDto[],
): ComplianceRuleDto => ({
  uuid: row.provider_uuid,
  name: row.name,
  ...optionalDescription(row),
  ...(row.group_uuid === null ? {} : { groupUuid: row.group_uuid }),
  ...availabilityOf(row, now),
  resource: row.resource ?? 'certificates',
  ...(row.type === null ? {} : { type: row.type }),
  ...(row.format === null ? {} : { format: row.format }),
  attributes: [...attributes],
});

export const presentProviderGroup = (row: ProviderRuleRow, now: Availability): ComplianceGroupDto => ({
  uuid: row.provider_uuid,
  name: row.name,
  ...optionalDescription(row),
  ...availabilityOf(row, now),
  ...(row.resource === null ? {} : { resource: row.resource }),
});

export const presentResult = (row: ResultRow | undefined): ComplianceCheckResultDto =>
  row === undefined
    ? { status: 'not_checked', failedRules: [] }
    : {
        status: row.status,
        timestamp: row.checked_at.toISOString(),
        ...(row.message === null ? {} : { message: row.message }),
        failedRules: violatedFirst(row.rules).map(({ reason: _toldByTheMessage, ...rule }) => rule),
      };

const stateOf = (row: RunRow): ComplianceRunDto['state'] => {
  if (row.finished_at !== null) return row.stopped_by === null ? 'finished' : 'stopped';
  return row.leased_by === null ? 'waiting' : 'running';
};

export const presentRun = (row: RunRow): ComplianceRunDto => ({
  uuid: row.uuid,
  state: stateOf(row),
  resource: row.scope.requestsOnly ? 'certificateRequests' : row.subject,
  startedAt: row.started_at.toISOString(),
  startedBy: row.started_by,
  total: Math.max(row.total, row.processed),
  processed: row.processed,
  compliant: row.compliant,
  notCompliant: row.not_compliant,
  notApplicable: row.not_applicable,
  failed: row.failed,
  ...(row.working_ms > 0 && { perSecond: Math.round((row.processed * 1000) / row.working_ms) }),
  ...(row.finished_at && { endedAt: row.finished_at.toISOString() }),
  ...(row.stopped_by !== null && { stoppedBy: row.stopped_by }),
});
