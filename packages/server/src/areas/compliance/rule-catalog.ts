// Rules and groups that providers offer for use in profiles.
import type { ComplianceGroupListDto, ComplianceRuleListDto, Resource } from '@signetry/contract';
import { isVisible, visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { isAppError, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Connectors } from '../connectors/index.ts';
import { requirePermission } from '../identity/index.ts';
import type { InternalRules } from './internal-rules.ts';
import { presentListedGroup, presentListedRule } from './present.ts';
import type { Provider, ProviderKey, Providers } from './providers.ts';

export interface CatalogParts {
  readonly providers: Providers;
  readonly internal: Pick<InternalRules, 'list'>;
  readonly connectors: Pick<Connectors, 'facts' | 'listOffering'>;
}

interface RuleQuery {
  readonly connectorUuid?: string | undefined;
  readonly kind?: string | undefined;
  readonly resource?: Resource | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
}

interface ProviderQuery {
  readonly complianceProvider?: string | undefined;
  readonly kind?: string | undefined;
}

export type RuleCatalog = ReturnType<typeof createRuleCatalog>;

export function createRuleCatalog(platform: Platform, parts: CatalogParts) {
  const { providers, internal } = parts;

  async function reach(key: ProviderKey, context: RequestContext): Promise<Provider> {
    const connectorUuid = key.connectorUuid.toLowerCase();
    requirePermission(context, { resource: 'connectors', action: 'detail', objects: [connectorUuid] });
    return providers.reach({ ...key, connectorUuid });
  }

  async function rules(query: RuleQuery, context: RequestContext): Promise<ComplianceRuleListDto[]> {
    const { connectorUuid, kind, ...narrowing } = query;
    if (connectorUuid === undefined && kind === undefined)
      return (await internal.list()).filter(({ resource }) => (narrowing.resource ?? resource) === resource);
    if (connectorUuid === undefined || kind === undefined)
      throw rejected('connectorUuid and kind must be specified together; without both, internal rules are listed.');
    const provider = await reach({ connectorUuid, kind }, context);
    const listed = await providers.listRules(provider, narrowing, { signal: context.signal });
    return listed.map((rule) => presentListedRule(provider, rule));
  }

  async function groups(
    { resource, ...key }: ProviderKey & { readonly resource?: Resource | undefined },
    context: RequestContext,
  ): Promise<ComplianceGroupListDto[]> {
    const provider = await reach(key, context);
    const listed = await providers.listGroups(provider, resource, { signal: context.signal });
    return listed.map((group) => presentListedGroup(provider, group));
  }

  async function groupRules(groupUuid: string, key: ProviderKey, context: RequestContext) {
    const provider = await reach(key, context);
    const listed = await providers.groupRules(provider, groupUuid, { signal: context.signal });
    return listed.map((rule) => presentListedRule(provider, rule));
  }

  return { rules, groups, groupRules, ...createCombinedLists(platform, parts) };
}

function createCombinedLists({ log }: Platform, { providers, connectors }: CatalogParts) {
  /** Returns the provider in the query, or all providers that the caller can see. */
  async function providersOf(query: ProviderQuery, context: RequestContext): Promise<ProviderKey[]> {
    const { complianceProvider, kind } = query;
    const connectorUuid = complianceProvider?.toLowerCase();
    if (connectorUuid !== undefined)
      requirePermission(context, { resource: 'connectors', action: 'detail', objects: [connectorUuid] });
    const visible = visibleObjects(context.actor.permissions, 'connectors', 'detail');
    const offering = await connectors.listOffering(['complianceProvider', 'complianceProviderV2']);
    const keys = offering
      .filter(({ uuid }) => isVisible(visible, uuid) && (connectorUuid ?? uuid) === uuid)
      .flatMap(({ uuid, kinds }) => [...new Set(kinds)].map((each) => ({ connectorUuid: uuid, kind: each })))
      .filter((each) => (kind ?? each.kind) === each.kind);
    if (connectorUuid !== undefined && kind !== undefined && keys.length === 0)
      await providers.reach({ connectorUuid, kind });
    return keys;
  }

  /** If a provider fails, the others are still listed, unless the provider was specified explicitly. */
  async function queryEach<Told>(
    query: ProviderQuery,
    context: RequestContext,
    ask: (provider: Provider) => Promise<Told>,
  ): Promise<(Told & { readonly provider: ReturnType<typeof providerNameOf> })[]> {
    const told = await Promise.all(
      (await providersOf(query, context)).map(async (key) => {
        try {
          const provider = await providers.reach(key);
          return [{ ...(await ask(provider)), provider: providerNameOf(provider) }];
        } catch (error) {
          if (query.complianceProvider !== undefined || !isAppError(error)) throw error;
          log.warn(
            { error, connector: key.connectorUuid, kind: key.kind },
            'cannot query a compliance provider; omitting it',
          );
          return [];
        }
      }),
    );
    return told.flat();
  }

  return {
    rulesOfAll: (query: ProviderQuery, narrowing: { readonly resource: Resource }, context: RequestContext) =>
      queryEach(query, context, async (provider) => ({
        rules: await providers.listRules(provider, narrowing, { signal: context.signal }),
      })),
    groupsOfAll: (query: ProviderQuery, resource: Resource, context: RequestContext) =>
      queryEach(query, context, async (provider) => ({
        groups: await providers.listGroups(provider, resource, { signal: context.signal }),
      })),
  };
}

const providerNameOf = ({ name, connectorUuid, kind }: Provider) => ({ connectorName: name, connectorUuid, kind });
