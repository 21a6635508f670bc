// Compliance over real HTTP: profiles with rules made here and rules of a provider, checks of one object and of many,
// and requests that rules refuse before anybody signs.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ComplianceCheckResultDto, ConditionItemDto, Resource } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateOf } from './testing/approvals.ts';
import { historyOf, issue, refusalOf } from './testing/certificates.ts';
import { userWithRole } from './testing/limited-user.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import {
  FIRST_KIND,
  GROUP,
  IN_GROUP,
  LIMIT,
  OF_KEYS,
  RULE_KIND,
  startRuleProvider,
  WITH_LIMIT,
  type RuleProvider,
} from './testing/rule-provider.ts';
import { createKey, createTokenWithProfile, itemPath } from './testing/tokens.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let client: Client;
let provider: RuleProvider;
let connectorUuid: string;
let count = 0;

beforeAll(async () => {
  ({ client } = server);
  provider = await startRuleProvider();
  const body = { name: 'rule-provider', url: provider.url, authType: 'none' as const };
  connectorUuid = (await client.connectors.createConnector({ body })).uuid;
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.behaviour = 'ok';
  provider.gone.clear();
  provider.asked.length = 0;
});

const named = (what: string): string => `${what} ${(count += 1)}`;

const condition = (fieldIdentifier: string, operator: ConditionItemDto['operator'], value: unknown) => ({
  fieldSource: 'property' as const,
  fieldIdentifier,
  operator,
  value,
});

const makeRule = async (resource: Resource, ...conditionItems: ConditionItemDto[]): Promise<string> => {
  const body = { name: named('rule'), resource, conditionItems };
  return (await client.complianceProfiles.createComplianceInternalRuleV2({ body })).uuid;
};

type NewProfile = Omit<Parameters<Client['complianceProfiles']['createComplianceProfileV2']>[0]['body'], 'name'>;

const makeProfile = async (content: NewProfile): Promise<string> =>
  (await client.complianceProfiles.createComplianceProfileV2({ body: { name: named('profile'), ...content } })).uuid;

/** An authority of its own with a profile that applies to its certificates. */
async function governed(content: NewProfile): Promise<IssuingPath & { readonly profileUuid: string }> {
  const path = await createAuthority(client, { name: named('Governed CA') });
  const profileUuid = await makeProfile(content);
  await associate(profileUuid, path.raProfileUuid);
  return { ...path, profileUuid };
}

const associate = (uuid: string, associationObjectUuid: string, resource: Resource = 'raProfiles') =>
  client.complianceProfiles.associateComplianceProfileV2({ params: { uuid, resource, associationObjectUuid } });

const issued = async (path: IssuingPath, name: string): Promise<string> =>
  (await issue(client, path, await makeRequest({ subject: `CN=${name}` }))).uuid;

const resultOf = (resource: Resource, objectUuid: string): Promise<ComplianceCheckResultDto> =>
  client.compliance.getComplianceCheckResultV2({ params: { resource, objectUuid } });

/** Has an object checked and waits for a result that is newer than the last one. */
async function checked(resource: Resource, objectUuid: string): Promise<ComplianceCheckResultDto> {
  const before = (await resultOf(resource, objectUuid)).timestamp;
  await client.compliance.checkResourceObjectComplianceV2({ params: { resource, objectUuid } });
  return vi.waitFor(
    async () => {
      const result = await resultOf(resource, objectUuid);
      expect(result.timestamp).not.toBe(before);
      return result;
    },
    { timeout: 25_000 },
  );
}

describe('rules made here', () => {
  it('are evaluated as a search would', async () => {
    const short = await makeRule('certificates', condition('VALIDITY_DAYS', 'LESSER', 1));
    const well = await makeRule('certificates', condition('COMMON_NAME', 'MATCHES', '^[a-z.]+$'));
    const path = await governed({ internalRules: [short, well] });
    const uuid = await issued(path, 'fine.example');
    const result = await checked('certificates', uuid);
    expect(result).toMatchObject({ status: 'nok', failedRules: [{ uuid: short, status: 'nok' }] });
    const shown = await client.certificates.getCertificate({ params: { uuid } });
    expect(shown).toMatchObject({ complianceStatus: 'nok', nonCompliantRules: [] });
    const filters = [{ fieldSource: 'property' as const, fieldIdentifier: 'COMPLIANCE_STATUS', condition: 'EQUALS' as const, value: 'nok' }]; // prettier-ignore
    const { certificates } = await client.certificates.listCertificates({ body: { filters } });
    expect(certificates.map((each) => each.uuid)).toContain(uuid);
  });

  it('refuse what cannot be evaluated, and names that are taken', async () => {
    const create = (resource: Resource, ...conditionItems: ConditionItemDto[]) =>
      client.complianceProfiles.createComplianceInternalRuleV2({ body: { name: 'taken', resource, conditionItems } });
    expect(await refusalOf(create('certificates', condition('NOTHING', 'EQUALS', 'x')))).toMatchObject({ status: 400 });
    expect(await refusalOf(create('certificates', condition('COMMON_NAME', 'MATCHES', '(')))).toMatchObject({
      status: 422,
    });
    expect(await refusalOf(create('groups', condition('COMMON_NAME', 'EQUALS', 'x')))).toMatchObject({ status: 422 });
    await create('keys', condition('CKI_LENGTH', 'GREATER', 255));
    expect(await refusalOf(create('keys', condition('CKI_LENGTH', 'GREATER', 255)))).toMatchObject({ status: 400 });
  });

  it('stay while a profile has them', async () => {
    const rule = await makeRule('keys', condition('CKI_LENGTH', 'GREATER', 255));
    const uuid = await makeProfile({ internalRules: [rule] });
    const remove = () =>
      client.complianceProfiles.deleteComplianceInternalRuleV2({ params: { internalRuleUuid: rule } });
    expect((await refusalOf(remove())).message).toContain('Remove it from them first');
    const body = { removal: true, ruleUuid: rule };
    await client.complianceProfiles.patchComplianceProfileRulesV2({ params: { uuid }, body });
    await remove();
    const rules = await client.complianceProfiles.getComplianceRulesV2({ query: {} });
    expect(rules.map((each) => each.uuid)).not.toContain(rule);
  });
});

describe('the event of a certificate that does not comply', () => {
  it('says which one, with the whole result of the check', async () => {
    const { database, events } = server.running.platform;
    const event = 'certificate_not_compliant';
    const told = (uuid: string) =>
      database.query<{ data: Record<string, unknown> }>(
        `SELECT data FROM event_log WHERE event = $1 AND data->>'certificateUuid' = $2`,
        [event, uuid],
      );
    const rule = await makeRule('certificates', condition('COMMON_NAME', 'STARTS_WITH', 'good'));
    const path = await governed({ internalRules: [rule] });
    const [good, bad] = [await issued(path, 'good.example'), await issued(path, 'bad.example')];
    expect((await checked('certificates', good)).status).toBe('ok');
    const result = await checked('certificates', bad);
    await vi.waitFor(async () => expect(await told(bad)).toHaveLength(1), { timeout: 8_000 });
    const { fingerprint, serialNumber, subjectDn, issuerDn } = await client.certificates.getCertificate({ params: { uuid: bad } }); // prettier-ignore
    const [{ data } = expect.fail('no event')] = await told(bad);
    expect(await events.complete(database.executor, { event, data })).toMatchObject({
      certificateUuid: bad,
      fingerprint,
      serialNumber,
      subjectDn,
      issuerDn,
      complianceCheckResultDto: result,
    });
    expect(result.failedRules).toMatchObject([{ uuid: rule, status: 'nok', resource: 'certificates' }]);
    expect(await told(good)).toEqual([]);
  });
});

describe('requests', () => {
  it('are refused before anybody signs', async () => {
    const rule = await makeRule('certificateRequests', condition('CERT_REQUEST_COMMON_NAME', 'ENDS_WITH', '.good'));
    const path = await governed({ internalRules: [rule] });
    const request = await makeRequest({ subject: 'CN=evil.example' });
    const ask = client.clientOperations.issueCertificate({
      params: path,
      body: { request: request.pem, attributes: [] },
    });
    const { status, message, uuid } = await refusalOf(ask);
    expect(status).toBe(400);
    expect(message).toContain('does not comply with the compliance profiles of its RA profile');
    expect(await stateOf(client, uuid)).toBe('rejected');
    expect((await historyOf(client, uuid))[0]).toMatch(/^Issue Certificate FAILED: The request does not comply/);
    expect(await resultOf('certificates', uuid)).toMatchObject({ status: 'nok', failedRules: [{ uuid: rule }] });
    const shown = await client.certificates.getCertificate({ params: { uuid } });
    expect(shown.certificateRequest?.complianceStatus).toBe('nok');
    expect(await stateOf(client, await issued(path, 'fine.good'))).toBe('issued');
  });
});

describe('rules of a provider', () => {
  const limit = [{ uuid: LIMIT.uuid, name: 'data_limit', contentType: 'integer' as const, content: [{ data: 30 }] }]; // prettier-ignore
  const byProvider = (): NewProfile => ({
    providerRules: [
      {
        connectorUuid,
        kind: RULE_KIND,
        rules: [{ uuid: WITH_LIMIT.uuid, attributes: limit }, { uuid: OF_KEYS.uuid }],
        groups: [GROUP.uuid],
      },
    ],
  });

  it('are checked with their values, each once, and only those about certificates', async () => {
    const path = await governed(byProvider());
    const uuid = await issued(path, 'checked.example');
    expect(await checked('certificates', uuid)).toMatchObject({ status: 'ok', failedRules: [] });
    const [asked] = provider.asked as {
      resource: string;
      rules: { uuid: string; attributes: unknown[] }[];
      groups: string[];
    }[];
    expect(asked?.resource).toBe('certificates');
    expect(asked?.rules.map((rule) => rule.uuid)).toEqual([WITH_LIMIT.uuid]);
    expect(asked?.groups).toEqual([GROUP.uuid]);
    expect(asked?.rules.find((rule) => rule.uuid === WITH_LIMIT.uuid)?.attributes).toMatchObject([
      { name: 'data_limit', content: [{ data: 30 }] },
    ]);
  });

  it.each([
    ['nok', 'nok', undefined],
    ['silent', 'not_available', /said nothing about/],
    ['lie', 'not_available', /said nothing about/],
    ['na', 'na', undefined],
  ] as const)('say %s', async (behaviour, status, message) => {
    const path = await governed(byProvider());
    const uuid = await issued(path, 'answered.example');
    provider.behaviour = behaviour;
    const result = await checked('certificates', uuid);
    expect(result.failedRules.map((rule) => rule.status)).toEqual([status, status]);
    expect(result.status).toBe(behaviour === 'na' ? 'na' : 'nok');
    if (message) expect(result.message).toMatch(message);
    const shown = await client.certificates.getCertificate({ params: { uuid } });
    expect(shown.nonCompliantRules).toContainEqual({
      connectorName: 'rule-provider',
      ruleName: 'Short-lived',
      ruleDescription: 'Certificates end soon.',
      status,
    });
  });

  it('that are gone are shown so, and keep the certificate from being compliant', async () => {
    const path = await governed(byProvider());
    const uuid = await issued(path, 'gone.example');
    provider.gone.add(WITH_LIMIT.uuid);
    const result = await checked('certificates', uuid);
    expect(result).toMatchObject({ status: 'nok', failedRules: [{ uuid: WITH_LIMIT.uuid, status: 'not_available' }] });
    expect(result.message).toContain('no longer has the rule Short-lived');
    const profile = await client.complianceProfiles.getComplianceProfileV2({ params: { uuid: path.profileUuid } });
    const rules = profile.providerRules[0]?.rules ?? [];
    expect(rules.find((rule) => rule.uuid === WITH_LIMIT.uuid)?.availabilityStatus).toBe('not_available');
    expect(rules.find((rule) => rule.uuid === OF_KEYS.uuid)?.availabilityStatus).toBe('available');
  });

  it('hold nothing up for ever when the provider hangs', { timeout: 60_000 }, async () => {
    const path = await governed(byProvider());
    const uuid = await issued(path, 'hanging.example');
    provider.behaviour = 'hang';
    const result = await checked('certificates', uuid);
    expect(result.status).toBe('nok');
    expect(result.failedRules.map((rule) => rule.status)).toEqual(['not_available', 'not_available']);
    expect(result.message).toContain('rule-provider');
  });

  it('of the first generation are about certificates', async () => {
    const body = { name: named('first'), rules: [{ connectorUuid, kind: FIRST_KIND, rules: [{ uuid: IN_GROUP.uuid }] }] }; // prettier-ignore
    const { uuid: profileUuid } = await client.legacyComplianceProfiles.createComplianceProfile({ body });
    const path = await createAuthority(client, { name: named('First CA') });
    const params = { uuid: profileUuid };
    const ofRaProfile = { raProfileUuids: [path.raProfileUuid] };
    await client.legacyComplianceProfiles.associateProfiles({ params, body: ofRaProfile });
    const uuid = await issued(path, 'first.example');
    provider.behaviour = 'nok';
    await client.certificateCompliance.checkCertificatesCompliance({ body: { certificateUuids: [uuid] } });
    await vi.waitFor(async () => expect((await resultOf('certificates', uuid)).status).toBe('nok'));
    expect(await client.legacyComplianceProfiles.getComplianceProfile({ params })).toMatchObject({
      rules: [{ connectorName: 'rule-provider', rules: [{ uuid: IN_GROUP.uuid, certificateType: 'X.509' }] }],
      raProfiles: [{ uuid: path.raProfileUuid }],
    });
    const listed = await client.legacyComplianceProfiles.getComplianceRules({ query: { kind: FIRST_KIND } });
    expect(listed[0]?.rules.map((rule) => rule.uuid)).toEqual([IN_GROUP.uuid, WITH_LIMIT.uuid]);
    await client.legacyComplianceProfiles.disassociateProfiles({ params, body: ofRaProfile });
    await client.legacyComplianceProfiles.deleteComplianceProfile({ params });
  });
});

describe('profiles', () => {
  it('stay while they are associated, unless by force', async () => {
    const path = await governed({});
    const params = { uuid: path.profileUuid };
    const refusal = await refusalOf(client.complianceProfiles.deleteComplianceProfileV2({ params }));
    expect(refusal.message).toContain('it is associated with 1 object');
    const body = [path.profileUuid];
    const kept = await client.complianceProfiles.bulkDeleteComplianceProfilesV2({ body });
    expect(kept).toMatchObject([{ uuid: path.profileUuid }]);
    expect(await client.complianceProfiles.getAssociationsV2({ params })).toMatchObject([
      { resource: 'raProfiles', objectUuid: path.raProfileUuid },
    ]);
    expect(await client.complianceProfiles.forceDeleteComplianceProfilesV2({ body })).toEqual([]);
    const ofRaProfile = await client.raProfileCompliance.getAssociatedComplianceProfiles({ params: path });
    expect(ofRaProfile).toEqual([]);
  });

  it('are checked for all objects that they apply to', async () => {
    const rule = await makeRule('certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const path = await governed({ internalRules: [rule] });
    const uuids = await Promise.all(['a.example', 'b.example'].map((name) => issued(path, name)));
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    await vi.waitFor(async () => {
      const results = await Promise.all(uuids.map((uuid) => resultOf('certificates', uuid)));
      expect(results.map(({ status }) => status)).toEqual(['ok', 'nok']);
    });
  });

  it('are checked when a certificate gets their RA profile', async () => {
    const free = await createAuthority(client, { name: named('Free CA') });
    const rule = await makeRule('certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const uuid = await issued(free, 'moved.example');
    const body = { name: `second-${named('').trim()}`, attributes: [], enabled: true };
    const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({ params: free, body });
    await associate(await makeProfile({ internalRules: [rule] }), raProfileUuid);
    await client.certificates.updateCertificateObjects({ params: { uuid }, body: { raProfileUuid } });
    await vi.waitFor(async () => expect((await resultOf('certificates', uuid)).status).toBe('nok'), { timeout: 8_000 });
  });
});

describe('keys', () => {
  it('are checked by the profiles of their token profiles', async () => {
    const path = await createTokenWithProfile(client);
    const key = await createKey(client, path, { specification: 'P-256', enabled: true });
    const rule = await makeRule('keys', condition('CKI_LENGTH', 'GREATER', 300));
    await associate(await makeProfile({ internalRules: [rule] }), path.tokenProfileUuid, 'tokenProfiles');
    expect(await checked('keys', key.uuid)).toMatchObject({ status: 'nok', failedRules: [{ uuid: rule }] });
    const { keyItemUuid } = itemPath(path, key, 'Public');
    expect(await resultOf('keys', keyItemUuid)).toMatchObject({ status: 'nok' });
    const shown = await client.keys.getKey({ params: { uuid: key.uuid } });
    expect(shown.complianceStatus).toBe('nok');
  });
});

describe('checks of many objects', () => {
  const latest = async () => (await client.complianceRuns.listComplianceRuns({ query: { itemsPerPage: 1 } })).runs[0] ?? expect.fail('no check'); // prettier-ignore

  it('count what they find', async () => {
    const rule = await makeRule('certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const path = await governed({ internalRules: [rule] });
    for (const name of ['a.example', 'b.example', 'c.example']) await issued(path, name);
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    const { uuid: runUuid } = await latest();
    await vi.waitFor(async () =>
      expect(await client.complianceRuns.getComplianceRun({ params: { runUuid } })).toMatchObject({
        state: 'finished',
        resource: 'certificates',
        total: 3,
        processed: 3,
        compliant: 1,
        notCompliant: 2,
        notApplicable: 0,
        failed: 0,
      }),
    );
    const ended = await client.complianceRuns.stopComplianceRun({ params: { runUuid } });
    expect(ended).toMatchObject({ state: 'finished', processed: 3 });
    expect(ended.stoppedBy).toBeUndefined();
  });

  it('are stopped while a provider hangs, and another one goes on', { timeout: 60_000 }, async () => {
    const path = await governed({ providerRules: [{ connectorUuid, kind: RULE_KIND, groups: [GROUP.uuid] }] });
    const uuid = await issued(path, 'stopped.example');
    provider.behaviour = 'hang';
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    await vi.waitFor(() => expect(provider.asked.length).toBeGreaterThan(0));
    const { uuid: runUuid, state } = await latest();
    expect(state).toBe('running');
    provider.behaviour = 'ok';
    const stopped = await client.complianceRuns.stopComplianceRun({ params: { runUuid } });
    expect(stopped).toMatchObject({ state: 'stopped', processed: 0, total: 1 });
    expect(stopped.stoppedBy).toBeDefined();
    expect((await resultOf('certificates', uuid)).status).toBe('not_checked');
    // The node notices when it renews its lease, long before the provider would be given up.
    expect((await checked('certificates', uuid)).status).toBe('ok');
    expect(
      await refusalOf(client.complianceRuns.getComplianceRun({ params: { runUuid: randomUUID() } })),
    ).toMatchObject({
      status: 404,
    });
  });
});

describe('rights', () => {
  it('are asked for on the objects of a check and its result', async () => {
    const uuid = await issued(await governed({}), 'hidden.example');
    const some = await userWithRole(server, [
      { name: 'complianceProfiles', allowAllActions: true, actions: [], objects: [] },
    ]);
    const params = { resource: 'certificates' as const, objectUuid: uuid };
    const check = some.client.compliance.checkResourceObjectComplianceV2({ params });
    expect(await refusalOf(check)).toMatchObject({ status: 403 });
    expect(await refusalOf(some.client.compliance.getComplianceCheckResultV2({ params }))).toMatchObject({
      status: 403,
    });
    expect(await refusalOf(resultOf('certificates', randomUUID()))).toMatchObject({ status: 404 });
  });
});
