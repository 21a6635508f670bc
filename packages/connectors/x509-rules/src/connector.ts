// The connector: both versions of the interface, with the same rules. It stores nothing.
import { defineConnector, notFound, rejected, type FunctionHandlers } from '@signetry/connector-sdk';
import type {
  ComplianceGroupResponseDto,
  ComplianceRequestDtoV2,
  ComplianceRulesResponseDto,
} from '@signetry/contract';
import { findGroup, findRule, groups, rules, rulesOfGroup, type CatalogRule } from './catalog.ts';
import { openObject, overallStatus, resultsOf } from './check.ts';
import { KIND, NAME } from './declaration.ts';
import { certificates, subjectKinds, type SubjectKind } from './subjects.ts';

const requireGroup = (uuid: string): ComplianceGroupResponseDto => {
  const group = findGroup(uuid);
  if (!group) throw notFound('Compliance group', uuid);
  return group;
};

const presentRules = (of: readonly CatalogRule[]) => of.map(({ shown }) => shown);

/**
 * Returns whether a rule matches a query for resource, type and format; rules without a format apply to all formats.
 */
const matches =
  ({ resource, type, format }: { resource?: string; type?: string; format?: string }) =>
  ({ shown }: CatalogRule): boolean =>
    (resource === undefined || shown.resource === resource) &&
    (type === undefined || shown.type === type) &&
    (format === undefined || shown.format === undefined || shown.format === format);

/**
 * Returns the kind of the object to check, which is specified by the request or determined by the rules that it names.
 */
function kindOf({ resource, rules: asked, groups: askedGroups }: ComplianceRequestDtoV2): SubjectKind {
  const wanted =
    resource ?? findRule(asked[0]?.uuid ?? '')?.shown.resource ?? findGroup(askedGroups[0] ?? '')?.resource;
  const kind = subjectKinds.find((each) => each.resource === wanted);
  if (kind) return kind;
  const known = subjectKinds.map((each) => each.resource).join(', ');
  throw rejected(
    wanted === undefined
      ? `The request does not specify the kind of object. Specify its resource: ${known}.`
      : `No rules exist for the resource ${wanted}. Supported: ${known}.`,
  );
}

const second: FunctionHandlers<'complianceProviderV2'> = {
  listRules: ({ query }) => presentRules(rules.filter(matches(query))),
  getRulesBatch: ({ body: { ruleUuids, groupUuids, withGroupRules } }) => ({
    rules: presentRules(ruleUuids.flatMap((uuid) => findRule(uuid) ?? [])),
    groups: groupUuids.flatMap((uuid) => {
      const group = findGroup(uuid);
      if (!group) return [];
      return [withGroupRules ? { ...group, rules: presentRules(rulesOfGroup(uuid)) } : group];
    }),
  }),
  getRule: ({ params }) => {
    const rule = findRule(params.ruleUuid);
    if (!rule) throw notFound('Compliance rule', params.ruleUuid);
    return rule.shown;
  },
  listGroups: ({ query: { resource } }) =>
    groups.filter((group) => resource === undefined || group.resource === resource),
  getGroup: ({ params }) => requireGroup(params.groupUuid),
  getGroupRules: ({ params }) => presentRules(rulesOfGroup(requireGroup(params.groupUuid).uuid)),
  checkCompliance: ({ body }) => {
    const kind = kindOf(body);
    const judge = openObject(kind, body.data);
    // If a rule is also requested individually, that request's attributes apply.
    const ofGroups = body.groups.flatMap((uuid) => rulesOfGroup(uuid).map(({ shown }) => ({ uuid: shown.uuid })));
    const results = resultsOf([...ofGroups, ...body.rules], { kind, judge });
    return { status: overallStatus(results), rules: results };
  },
};

const ofCertificates = rules.filter(({ kind }) => kind === certificates);

/** Returns a rule as presented in version 1 of the interface. */
const presentVersion1 = ({ shown }: CatalogRule): ComplianceRulesResponseDto => {
  const { uuid, groupUuid, name, description = '', attributes = [] } = shown;
  return { uuid, groupUuid, name, description, attributes, certificateType: 'X.509' };
};

const first: FunctionHandlers<'complianceProvider'> = {
  listRules: () => ofCertificates.map(presentVersion1),
  listGroups: () =>
    groups
      .filter(({ resource }) => resource === certificates.resource)
      .map(({ uuid, name, description = '' }) => ({ uuid, name, description })),
  listGroupDetails: ({ params }) =>
    rulesOfGroup(requireGroup(params.uuid).uuid)
      .filter(({ kind }) => kind === certificates)
      .map(presentVersion1),
  checkCompliance: ({ body }) => {
    const judge = openObject(certificates, body.certificate);
    const asked = body.rules ?? ofCertificates.map(({ shown }) => ({ uuid: shown.uuid }));
    const results = resultsOf(asked, { kind: certificates, judge });
    return { status: overallStatus(results), rules: results };
  },
};

export const x509Rules = defineConnector({
  name: NAME,
  functions: { complianceProvider: { kinds: [KIND] }, complianceProviderV2: { kinds: [KIND] } },
  create: () => ({ functions: { complianceProvider: first, complianceProviderV2: second } }),
});
