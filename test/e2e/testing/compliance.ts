// Compliance profiles with internal and provider rules, and checks of the objects to which they apply.
import type { Client } from '@signetry/client';
import type { ComplianceCheckResultDto, ConditionItemDto, Resource } from '@signetry/contract';
import { expect, vi } from 'vitest';
import { issue } from './certificates.ts';
import { createAuthority, type IssuingPath } from './profiles.ts';
import { makeRequest } from './requests.ts';
import { GROUP, LIMIT, KEY_RULE, RULE_KIND, WITH_LIMIT, type RuleProvider } from './rule-provider.ts';

let count = 0;

export const uniqueName = (what: string): string => `${what} ${(count += 1)}`;

export async function registerRuleProvider(client: Client, { url }: Pick<RuleProvider, 'url'>): Promise<string> {
  const body = { name: 'rule-provider', url, authType: 'none' as const };
  return (await client.connectors.createConnector({ body })).uuid;
}

export const condition = (fieldIdentifier: string, operator: ConditionItemDto['operator'], value: unknown) => ({
  fieldSource: 'property' as const,
  fieldIdentifier,
  operator,
  value,
});

export const makeRule = async (
  client: Client,
  resource: Resource,
  ...conditionItems: ConditionItemDto[]
): Promise<string> => {
  const body = { name: uniqueName('rule'), resource, conditionItems };
  return (await client.complianceProfiles.createComplianceInternalRuleV2({ body })).uuid;
};

type NewProfile = Omit<Parameters<Client['complianceProfiles']['createComplianceProfileV2']>[0]['body'], 'name'>;

export const makeProfile = async (client: Client, content: NewProfile): Promise<string> =>
  (await client.complianceProfiles.createComplianceProfileV2({ body: { name: uniqueName('profile'), ...content } }))
    .uuid;

/** Creates an authority and a profile that applies to its certificates. */
export async function createGovernedAuthority(
  client: Client,
  content: NewProfile,
): Promise<IssuingPath & { readonly profileUuid: string }> {
  const path = await createAuthority(client, { name: uniqueName('Governed CA') });
  const profileUuid = await makeProfile(client, content);
  await associate(client, profileUuid, path.raProfileUuid);
  return { ...path, profileUuid };
}

export const associate = (
  client: Client,
  uuid: string,
  associationObjectUuid: string,
  resource: Resource = 'raProfiles',
) => client.complianceProfiles.associateComplianceProfileV2({ params: { uuid, resource, associationObjectUuid } });

export const issueCertificate = async (client: Client, path: IssuingPath, name: string): Promise<string> =>
  (await issue(client, path, await makeRequest({ subject: `CN=${name}` }))).uuid;

export const resultOf = (client: Client, resource: Resource, objectUuid: string): Promise<ComplianceCheckResultDto> =>
  client.compliance.getComplianceCheckResultV2({ params: { resource, objectUuid } });

/** Checks an object and waits for a result that is newer than the last one. */
export async function checkObject(
  client: Client,
  resource: Resource,
  objectUuid: string,
): Promise<ComplianceCheckResultDto> {
  const before = (await resultOf(client, resource, objectUuid)).timestamp;
  await client.compliance.checkResourceObjectComplianceV2({ params: { resource, objectUuid } });
  return vi.waitFor(
    async () => {
      const result = await resultOf(client, resource, objectUuid);
      expect(result.timestamp).not.toBe(before);
      return result;
    },
    { timeout: 25_000 },
  );
}

const limit = [{ uuid: LIMIT.uuid, name: 'data_limit', contentType: 'integer' as const, content: [{ data: 30 }] }];

/** Rules of a provider, and a group of its rules. */
export const rulesOfProvider = (connectorUuid: string): NewProfile => ({
  providerRules: [
    {
      connectorUuid,
      kind: RULE_KIND,
      rules: [{ uuid: WITH_LIMIT.uuid, attributes: limit }, { uuid: KEY_RULE.uuid }],
      groups: [GROUP.uuid],
    },
  ],
});

/** Returns the most recently started bulk check. */
export const latestRun = async (client: Client) =>
  (await client.complianceRuns.listComplianceRuns({ query: { itemsPerPage: 1 } })).runs[0] ?? expect.fail('no check');
