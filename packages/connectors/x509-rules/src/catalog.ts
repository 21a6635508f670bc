// Rules and their groups as the interface presents them: one group per source.
import type { ComplianceGroupResponseDto, ComplianceRuleResponseDto, DataAttribute } from '@signetry/contract';
import { groupUuid, ruleUuid } from './identifiers.ts';
import { attributesOf } from './rule-attributes.ts';
import { subjectKinds, type OfferedRule, type SubjectKind } from './subjects.ts';

export interface CatalogRule {
  readonly id: string;
  readonly kind: SubjectKind;
  readonly attributes: readonly DataAttribute[];
  readonly shown: ComplianceRuleResponseDto & { readonly groupUuid: string };
}

function entryOf(kind: SubjectKind, rule: OfferedRule): CatalogRule {
  const { id, set, demand, remedy, citation, field, severity } = rule;
  const attributes = attributesOf(id, rule.parameters ?? {});
  const shown = {
    uuid: ruleUuid(id),
    groupUuid: groupUuid(set),
    name: id,
    description: `${demand} ${remedy} (${citation}; ${field}; ${severity})`,
    resource: kind.resource,
    type: kind.type,
    ...(kind.format === undefined ? {} : { format: kind.format }),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
  return { id, kind, attributes, shown };
}

export const rules: readonly CatalogRule[] = subjectKinds.flatMap((kind) =>
  kind.rules.map((rule) => entryOf(kind, rule)),
);
const byUuid: ReadonlyMap<string, CatalogRule> = new Map(rules.map((rule) => [rule.shown.uuid, rule]));

export const groups: readonly ComplianceGroupResponseDto[] = subjectKinds.flatMap(({ resource, sets }) =>
  sets.map(({ code, name, description }) => ({ uuid: groupUuid(code), name, description, resource })),
);

export const findRule = (uuid: string): CatalogRule | undefined => byUuid.get(uuid) ?? byUuid.get(uuid.toLowerCase());
export const findGroup = (uuid: string): ComplianceGroupResponseDto | undefined =>
  groups.find((group) => group.uuid === uuid.toLowerCase());

const byGroup = Map.groupBy(rules, ({ shown }) => shown.groupUuid);
export const rulesOfGroup = (uuid: string): readonly CatalogRule[] => byGroup.get(uuid.toLowerCase()) ?? [];
