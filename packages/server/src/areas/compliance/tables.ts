// Row types for this area's tables (migrations 0067-compliance and 0073-compliance-runs).
import type { ComplianceRuleStatus, ComplianceStatus, ConditionItemDto, Resource } from '@signetry/contract';

/** Resources whose objects are checked. Keys are checked item by item. */
export type Subject = 'certificates' | 'certificateRequests' | 'keys';

export type ComplianceTables = {
  compliance_internal_rule: {
    uuid: string;
    name: string;
    description: string | null;
    resource: Subject;
    conditions: readonly ConditionItemDto[];
    created_at: Date;
    updated_at: Date;
  };
  compliance_profile: {
    uuid: string;
    name: string;
    description: string | null;
    created_at: Date;
    updated_at: Date;
  };
  compliance_profile_internal_rule: { profile_uuid: string; rule_uuid: string };
  /** Rule or group, as described by its provider when it was added. */
  compliance_profile_provider_rule: {
    profile_uuid: string;
    connector_uuid: string;
    connector_name: string;
    kind: string;
    is_group: boolean;
    provider_uuid: string;
    name: string;
    description: string | null;
    group_uuid: string | null;
    resource: Resource | null;
    type: string | null;
    format: string | null;
    has_attributes: boolean;
    added_at: Date;
  };
  compliance_association: {
    profile_uuid: string;
    ra_profile_uuid: string | null;
    token_profile_uuid: string | null;
  };
  compliance_result: {
    uuid: string;
    certificate_uuid: string | null;
    request_uuid: string | null;
    key_item_uuid: string | null;
    checked_at: Date;
    status: ComplianceStatus;
    message: string | null;
    rule_list: Buffer;
  };
  /** Keyed by the SHA-256 digest of `rules`. */
  compliance_rule_list: { digest: Buffer; rules: readonly FailedRule[]; created_at: Date };
  compliance_run: {
    uuid: string;
    subject: Subject;
    scope: RunScope;
    started_at: Date;
    started_by: string;
    total: number;
    processed: number;
    cursor: string | null;
    leased_by: string | null;
    leased_until: Date | null;
    finished_at: Date | null;
    compliant: number;
    not_compliant: number;
    not_applicable: number;
    failed: number;
    working_ms: number;
    stopped_by: string | null;
  };
};

/** Rule that an object violates, or that could not be checked. */
export interface FailedRule {
  readonly uuid: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly status: Exclude<ComplianceRuleStatus, 'ok'>;
  readonly resource: Resource;
  readonly connectorUuid?: string | undefined;
  readonly connectorName?: string | undefined;
  readonly kind?: string | undefined;
  /** Why the rule could not be checked. */
  readonly reason?: string | undefined;
}

/**
 * The objects that a run checks: the objects of the given RA profiles or token profiles, or the given objects
 * themselves.
 */
export type RunScope = ({ readonly profileUuids: readonly string[] } | { readonly uuids: readonly string[] }) & {
  /** Limits the run to objects of this type. */
  readonly type?: string | undefined;
  /** Limits the run to requests whose certificates have not been issued. */
  readonly requestsOnly?: true | undefined;
};

export type InternalRuleRow = ComplianceTables['compliance_internal_rule'];
export type ProfileRow = ComplianceTables['compliance_profile'];
export type ProviderRuleRow = ComplianceTables['compliance_profile_provider_rule'];
export type ResultRow = Omit<ComplianceTables['compliance_result'], 'rule_list'> & {
  readonly rules: readonly FailedRule[];
};
export type RunRow = ComplianceTables['compliance_run'];
