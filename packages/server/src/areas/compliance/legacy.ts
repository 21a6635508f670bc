// Compliance profiles in the v1 API format: provider rules for certificates.
import type {
  CertificateType,
  ComplianceGroupsListResponseDto,
  ComplianceProfileDto,
  ComplianceProfileRequestDto,
  ComplianceProfileRuleDto,
  ComplianceProfilesListDto,
  ComplianceRuleAdditionRequestDto,
  ComplianceRulesListResponseDto,
  SimplifiedComplianceProfileDto,
  SimplifiedRaProfileDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { valueSet } from './check-at-provider.ts';
import type { ProfileService } from './profiles.ts';
import type { ProviderRule } from './providers.ts';
import type { RuleCatalog } from './rule-catalog.ts';
import * as store from './store.ts';
import { profiles } from './store.ts';
import type { ProviderRuleRow } from './tables.ts';

export interface LegacyParts {
  readonly attributes: AttributeEngine;
  readonly service: ProfileService;
  readonly catalogue: RuleCatalog;
  readonly raProfiles: Pick<RaProfiles, 'findMany' | 'authorityOf'>;
}

export type LegacyProfiles = ReturnType<typeof createLegacyProfiles>;

export const createLegacyProfiles = (platform: Platform, parts: LegacyParts) => ({
  ...createLegacyReads(platform, parts),
  ...createLegacyChanges(platform, parts),
  ...createLegacyLists(parts),
});

function createLegacyReads({ database: { executor } }: Platform, { attributes, raProfiles }: LegacyParts) {
  async function list(): Promise<ComplianceProfilesListDto[]> {
    const rows = await profiles.findAll(executor);
    const rules = Map.groupBy(
      await store.findProviderRules(executor, rows.map(({ uuid }) => uuid)), // prettier-ignore
      (row) => row.profile_uuid,
    );
    return rows.map((row) => ({ ...basicFactsOf(row), rules: summariesOf(rules.get(row.uuid) ?? []) }));
  }

  async function detail(uuid: string, context: RequestContext): Promise<ComplianceProfileDto> {
    const row = await profiles.require(executor, uuid);
    const rows = (await store.findProviderRules(executor, [uuid])).filter(isForCertificates);
    const byProvider = [...Map.groupBy(rows, (each) => `${each.connector_uuid} ${each.kind}`).values()];
    return {
      ...basicFactsOf(row),
      rules: await Promise.all(byProvider.map((each) => rulesOf(attributes, each))),
      groups: byProvider.map(groupsOf),
      raProfiles: await listRaProfiles(uuid),
      customAttributes: await attributes.customValuesOf('complianceProfiles').read(uuid, context),
    };
  }

  async function listRaProfiles(uuid: string): Promise<SimplifiedRaProfileDto[]> {
    await profiles.require(executor, uuid);
    const associations = await store.findAssociations(executor, [uuid]);
    const uuids = associations.filter(({ resource }) => resource === 'raProfiles').map((each) => each.objectUuid);
    return (await raProfiles.findMany(uuids)).map((each) => ({
      uuid: each.uuid,
      name: each.name,
      enabled: each.enabled,
      ...(each.authorityUuid === null ? {} : { authorityInstanceUuid: each.authorityUuid }),
    }));
  }

  async function listOfRaProfile(path: {
    readonly authorityUuid: string;
    readonly raProfileUuid: string;
  }): Promise<SimplifiedComplianceProfileDto[]> {
    const raProfileUuid = path.raProfileUuid.toLowerCase();
    if ((await raProfiles.authorityOf(raProfileUuid)) !== path.authorityUuid.toLowerCase())
      throw notFound('RA profile', path.raProfileUuid);
    const uuids = (await store.findProfilesOf(executor, 'raProfiles', [raProfileUuid])).get(raProfileUuid) ?? [];
    return (await profiles.findMany(executor, uuids)).map(basicFactsOf);
  }

  return { list, detail, listRaProfiles, listOfRaProfile };
}

function createLegacyChanges({ database: { executor } }: Platform, { attributes, service }: LegacyParts) {
  async function create(request: ComplianceProfileRequestDto, context: RequestContext): Promise<string> {
    const { rules = [], ...named } = request;
    const providerRules = rules.map((each) => ({
      connectorUuid: each.connectorUuid,
      kind: each.kind,
      rules: (each.rules ?? []).map((rule) => ({ ...rule, uuid: identifier('rule', rule.uuid) })),
      groups: (each.groups ?? []).map((group) => identifier('group', group)),
    }));
    return (await service.create({ ...named, providerRules }, context)).uuid;
  }

  async function addRule(
    uuid: string,
    request: ComplianceRuleAdditionRequestDto,
    context: RequestContext,
  ): Promise<ComplianceProfileRuleDto> {
    const ruleUuid = identifier('rule', request.ruleUuid);
    await service.patchRule(uuid, { ...request, ruleUuid, removal: false }, context);
    const profile = await profiles.require(executor, uuid);
    const row = requireFound(
      (await store.findProviderRules(executor, [uuid])).find(
        (each) =>
          !each.is_group &&
          each.provider_uuid === ruleUuid &&
          each.kind === request.kind &&
          each.connector_uuid === request.connectorUuid.toLowerCase(),
      ),
      'Compliance rule in the profile',
      ruleUuid,
    );
    const { object, scope } = valueSet(row);
    return {
      ...basicFactsOf({ ...row, uuid: row.provider_uuid }),
      connectorName: row.connector_name,
      connectorUuid: row.connector_uuid,
      kind: row.kind,
      ...(row.group_uuid === null ? {} : { groupUuid: row.group_uuid }),
      certificateType: typeOf(row),
      attributes: [...(await attributes.read(object, scope))],
      complianceProfileUuid: uuid,
      complianceProfileName: profile.name,
    };
  }

  return {
    create,
    addRule,
    removeRule: (uuid: string, { ruleUuid, ...key }: ComplianceRuleAdditionRequestDto, context: RequestContext) =>
      service.patchRule(uuid, { ...key, ruleUuid: identifier('rule', ruleUuid), removal: true }, context),
    patchGroup: (
      uuid: string,
      key: { readonly groupUuid: string; readonly connectorUuid: string; readonly kind: string },
      { removal, context }: { readonly removal: boolean; readonly context: RequestContext },
    ) => service.patchGroup(uuid, { ...key, groupUuid: identifier('group', key.groupUuid), removal }, context),
  };
}

function createLegacyLists({ catalogue }: LegacyParts) {
  async function rules(
    query: { readonly complianceProvider?: string | undefined; readonly kind?: string | undefined },
    { types, context }: { readonly types: readonly CertificateType[] | undefined; readonly context: RequestContext },
  ): Promise<ComplianceRulesListResponseDto[]> {
    const listed = await catalogue.rulesOfAll(query, { resource: 'certificates' }, context);
    return listed.map(({ provider, rules: there }) => ({
      ...provider,
      rules: there
        .map(toLegacyRule)
        .filter(({ certificateType }) => types === undefined || types.length === 0 || types.includes(certificateType)),
    }));
  }

  async function groups(
    query: { readonly complianceProvider?: string | undefined; readonly kind?: string | undefined },
    context: RequestContext,
  ): Promise<ComplianceGroupsListResponseDto[]> {
    const listed = await catalogue.groupsOfAll(query, 'certificates', context);
    return listed.map(({ provider, groups: there }) => ({ ...provider, groups: there.map(basicFactsOf) }));
  }

  return { rules, groups };
}

/** The schema accepts any text, but provider identifiers are UUIDs. */
function identifier(what: 'rule' | 'group', text: string): string {
  if (!isUuid(text)) throw rejected(`${what}: the identifier of a ${what} must be a UUID`);
  return text.toLowerCase();
}

const basicFactsOf = ({
  uuid,
  name,
  description,
}: {
  uuid: string;
  name: string;
  description?: string | null | undefined;
}) => ({
  uuid,
  name,
  ...(description === null || description === undefined ? {} : { description }),
});

const isForCertificates = ({ resource }: ProviderRuleRow): boolean => (resource ?? 'certificates') === 'certificates';

const typeOf = ({ type }: Pick<ProviderRuleRow, 'type'>): CertificateType => (type === 'SSH' ? 'SSH' : 'X.509');

const toLegacyRule = (rule: ProviderRule) => ({
  ...basicFactsOf(rule),
  ...(rule.groupUuid === undefined ? {} : { groupUuid: rule.groupUuid }),
  certificateType: typeOf({ type: rule.type ?? null }),
  attributes: [...rule.attributes],
});

function summariesOf(rows: readonly ProviderRuleRow[]) {
  return [...Map.groupBy(rows, (row) => row.connector_name)].map(([connectorName, ofOne]) => ({
    connectorName,
    numberOfRules: ofOne.filter((row) => !row.is_group).length,
    numberOfGroups: ofOne.filter((row) => row.is_group).length,
  }));
}

const providerOf = (rows: readonly ProviderRuleRow[]) => {
  const [first] = rows;
  return { connectorName: first?.connector_name, connectorUuid: first?.connector_uuid, kind: first?.kind };
};

async function rulesOf(attributes: AttributeEngine, rows: readonly ProviderRuleRow[]) {
  const rules = rows.filter((row) => !row.is_group);
  return {
    ...providerOf(rows),
    rules: await Promise.all(
      rules.map(async (row) => {
        const { object, scope } = valueSet(row);
        const given = row.has_attributes ? [...(await attributes.read(object, scope))] : [];
        return {
          ...basicFactsOf({ ...row, uuid: row.provider_uuid }),
          certificateType: typeOf(row),
          attributes: given,
        };
      }),
    ),
  };
}

const groupsOf = (rows: readonly ProviderRuleRow[]) => ({
  ...providerOf(rows),
  groups: rows.filter((row) => row.is_group).map((row) => basicFactsOf({ ...row, uuid: row.provider_uuid })),
});
