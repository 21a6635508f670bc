// Compliance over HTTP: profiles with internal rules and provider rules, checks of one or more objects, and requests
// rejected by rules before signing.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ConditionItemDto, Resource } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stateOf } from './testing/approvals.ts';
import { historyOf, rejectionOf } from './testing/certificates.ts';
import {
  associate,
  checkObject,
  condition,
  createGovernedAuthority,
  issueCertificate,
  latestRun,
  makeProfile,
  makeRule,
  uniqueName,
  registerRuleProvider,
  resultOf,
  rulesOfProvider,
} from './testing/compliance.ts';
import { userWithRole } from './testing/limited-user.ts';
import { createAuthority } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import {
  FIRST_KIND,
  GROUP,
  IN_GROUP,
  KEY_RULE,
  startRuleProvider,
  WITH_LIMIT,
  type RuleProvider,
} from './testing/rule-provider.ts';
import { createKey, createTokenWithProfile, itemPath } from './testing/tokens.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let client: Client;
let provider: RuleProvider;
let connectorUuid: string;

beforeAll(async () => {
  ({ client } = server);
  provider = await startRuleProvider();
  connectorUuid = await registerRuleProvider(client, provider);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.behaviour = 'ok';
  provider.gone.clear();
  provider.asked.length = 0;
});

describe('internal rules', () => {
  it('are evaluated in the same way as a search', async () => {
    const short = await makeRule(client, 'certificates', condition('VALIDITY_DAYS', 'LESSER', 1));
    const well = await makeRule(client, 'certificates', condition('COMMON_NAME', 'MATCHES', '^[a-z.]+$'));
    const path = await createGovernedAuthority(client, { internalRules: [short, well] });
    const uuid = await issueCertificate(client, path, 'fine.example');
    const result = await checkObject(client, 'certificates', uuid);
    expect(result).toMatchObject({ status: 'nok', failedRules: [{ uuid: short, status: 'nok' }] });
    const shown = await client.certificates.getCertificate({ params: { uuid } });
    expect(shown).toMatchObject({ complianceStatus: 'nok', nonCompliantRules: [] });
    const filters = [
      {
        fieldSource: 'property' as const,
        fieldIdentifier: 'COMPLIANCE_STATUS',
        condition: 'EQUALS' as const,
        value: 'nok',
      },
    ];
    const { certificates } = await client.certificates.listCertificates({ body: { filters } });
    expect(certificates.map((each) => each.uuid)).toContain(uuid);
  });

  it('are rejected if they cannot be evaluated or if their name already exists', async () => {
    const create = (resource: Resource, ...conditionItems: ConditionItemDto[]) =>
      client.complianceProfiles.createComplianceInternalRuleV2({ body: { name: 'taken', resource, conditionItems } });
    expect(await rejectionOf(create('certificates', condition('NOTHING', 'EQUALS', 'x')))).toMatchObject({
      status: 400,
    });
    expect(await rejectionOf(create('certificates', condition('COMMON_NAME', 'MATCHES', '(')))).toMatchObject({
      status: 422,
    });
    expect(await rejectionOf(create('groups', condition('COMMON_NAME', 'EQUALS', 'x')))).toMatchObject({ status: 422 });
    await create('keys', condition('CKI_LENGTH', 'GREATER', 255));
    expect(await rejectionOf(create('keys', condition('CKI_LENGTH', 'GREATER', 255)))).toMatchObject({ status: 400 });
  });

  it('cannot be deleted while a profile uses them', async () => {
    const rule = await makeRule(client, 'keys', condition('CKI_LENGTH', 'GREATER', 255));
    const uuid = await makeProfile(client, { internalRules: [rule] });
    const remove = () =>
      client.complianceProfiles.deleteComplianceInternalRuleV2({ params: { internalRuleUuid: rule } });
    expect((await rejectionOf(remove())).message).toContain('Remove it from them first');
    const body = { removal: true, ruleUuid: rule };
    await client.complianceProfiles.patchComplianceProfileRulesV2({ params: { uuid }, body });
    await remove();
    const rules = await client.complianceProfiles.getComplianceRulesV2({ query: {} });
    expect(rules.map((each) => each.uuid)).not.toContain(rule);
  });
});

describe('the event for a noncompliant certificate', () => {
  it('identifies the certificate and contains the complete check result', async () => {
    const { database, events } = server.running.platform;
    const event = 'certificate_not_compliant';
    const findEvents = (uuid: string) =>
      database.query<{ data: Record<string, unknown> }>(
        `SELECT data FROM event_log WHERE event = $1 AND data->>'certificateUuid' = $2`,
        [event, uuid],
      );
    const rule = await makeRule(client, 'certificates', condition('COMMON_NAME', 'STARTS_WITH', 'good'));
    const path = await createGovernedAuthority(client, { internalRules: [rule] });
    const [good, bad] = [
      await issueCertificate(client, path, 'good.example'),
      await issueCertificate(client, path, 'bad.example'),
    ];
    expect((await checkObject(client, 'certificates', good)).status).toBe('ok');
    const result = await checkObject(client, 'certificates', bad);
    await vi.waitFor(async () => expect(await findEvents(bad)).toHaveLength(1), { timeout: 8_000 });
    const { fingerprint, serialNumber, subjectDn, issuerDn } = await client.certificates.getCertificate({
      params: { uuid: bad },
    });
    const [{ data } = expect.fail('no event')] = await findEvents(bad);
    expect(await events.complete(database.executor, { event, data })).toMatchObject({
      certificateUuid: bad,
      fingerprint,
      serialNumber,
      subjectDn,
      issuerDn,
      complianceCheckResultDto: result,
    });
    expect(result.failedRules).toMatchObject([{ uuid: rule, status: 'nok', resource: 'certificates' }]);
    expect(await findEvents(good)).toEqual([]);
  });
});

describe('requests', () => {
  it('are rejected before anything is signed', async () => {
    const rule = await makeRule(
      client,
      'certificateRequests',
      condition('CERT_REQUEST_COMMON_NAME', 'ENDS_WITH', '.good'),
    );
    const path = await createGovernedAuthority(client, { internalRules: [rule] });
    const request = await makeRequest({ subject: 'CN=evil.example' });
    const ask = client.clientOperations.issueCertificate({
      params: path,
      body: { request: request.pem, attributes: [] },
    });
    const { status, message, uuid } = await rejectionOf(ask);
    expect(status).toBe(400);
    expect(message).toContain('does not comply with the compliance profiles of its RA profile');
    expect(await stateOf(client, uuid)).toBe('rejected');
    expect((await historyOf(client, uuid))[0]).toMatch(/^Issue Certificate FAILED: The request does not comply/);
    expect(await resultOf(client, 'certificates', uuid)).toMatchObject({
      status: 'nok',
      failedRules: [{ uuid: rule }],
    });
    const shown = await client.certificates.getCertificate({ params: { uuid } });
    expect(shown.certificateRequest?.complianceStatus).toBe('nok');
    expect(await stateOf(client, await issueCertificate(client, path, 'fine.good'))).toBe('issued');
  });
});

describe('rules from a provider', () => {
  it('are checked with their values, each only once, and only if they are for certificates', async () => {
    const path = await createGovernedAuthority(client, rulesOfProvider(connectorUuid));
    const uuid = await issueCertificate(client, path, 'checked.example');
    expect(await checkObject(client, 'certificates', uuid)).toMatchObject({ status: 'ok', failedRules: [] });
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
    ['that are violated are reported as such', 'nok', 'nok', undefined],
    ['without a result are not available', 'silent', 'not_available', /returned no result for the rule Named well\./],
    [
      'are not available if the result is for a different rule',
      'lie',
      'not_available',
      /returned no result for the rule Named well\./,
    ],
    ['that do not apply are reported as such', 'na', 'na', undefined],
  ] as const)('%s', async (_what, behaviour, status, message) => {
    const path = await createGovernedAuthority(client, rulesOfProvider(connectorUuid));
    const uuid = await issueCertificate(client, path, 'answered.example');
    provider.behaviour = behaviour;
    const result = await checkObject(client, 'certificates', uuid);
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

  it('that no longer exist are marked as such, and make the certificate noncompliant', async () => {
    const path = await createGovernedAuthority(client, rulesOfProvider(connectorUuid));
    const uuid = await issueCertificate(client, path, 'gone.example');
    provider.gone.add(WITH_LIMIT.uuid);
    const result = await checkObject(client, 'certificates', uuid);
    expect(result).toMatchObject({ status: 'nok', failedRules: [{ uuid: WITH_LIMIT.uuid, status: 'not_available' }] });
    expect(result.message).toContain('no longer offers the rule Short-lived');
    const profile = await client.complianceProfiles.getComplianceProfileV2({ params: { uuid: path.profileUuid } });
    const rules = profile.providerRules[0]?.rules ?? [];
    expect(rules.find((rule) => rule.uuid === WITH_LIMIT.uuid)?.availabilityStatus).toBe('not_available');
    expect(rules.find((rule) => rule.uuid === KEY_RULE.uuid)?.availabilityStatus).toBe('available');
  });

  it('from a first-generation provider apply to certificates', async () => {
    const body = {
      name: uniqueName('first'),
      rules: [{ connectorUuid, kind: FIRST_KIND, rules: [{ uuid: IN_GROUP.uuid }] }],
    };
    const { uuid: profileUuid } = await client.legacyComplianceProfiles.createComplianceProfile({ body });
    const path = await createAuthority(client, { name: uniqueName('First CA') });
    const params = { uuid: profileUuid };
    const ofRaProfile = { raProfileUuids: [path.raProfileUuid] };
    await client.legacyComplianceProfiles.associateProfiles({ params, body: ofRaProfile });
    const uuid = await issueCertificate(client, path, 'first.example');
    provider.behaviour = 'nok';
    await client.certificateCompliance.checkCertificatesCompliance({ body: { certificateUuids: [uuid] } });
    await vi.waitFor(async () => expect((await resultOf(client, 'certificates', uuid)).status).toBe('nok'));
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
  it('cannot be deleted while they are associated with objects, except by force', async () => {
    const path = await createGovernedAuthority(client, {});
    const params = { uuid: path.profileUuid };
    const refusal = await rejectionOf(client.complianceProfiles.deleteComplianceProfileV2({ params }));
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

  it('are checked for all objects to which they apply', async () => {
    const rule = await makeRule(client, 'certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const path = await createGovernedAuthority(client, { internalRules: [rule] });
    const uuids = await Promise.all(['a.example', 'b.example'].map((name) => issueCertificate(client, path, name)));
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    await vi.waitFor(async () => {
      const results = await Promise.all(uuids.map((uuid) => resultOf(client, 'certificates', uuid)));
      expect(results.map(({ status }) => status)).toEqual(['ok', 'nok']);
    });
  });

  it('are checked when their RA profile is assigned to a certificate', async () => {
    const free = await createAuthority(client, { name: uniqueName('Free CA') });
    const rule = await makeRule(client, 'certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const uuid = await issueCertificate(client, free, 'moved.example');
    const body = { name: `second-${uniqueName('').trim()}`, attributes: [], enabled: true };
    const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({ params: free, body });
    await associate(client, await makeProfile(client, { internalRules: [rule] }), raProfileUuid);
    await client.certificates.updateCertificateObjects({ params: { uuid }, body: { raProfileUuid } });
    await vi.waitFor(async () => expect((await resultOf(client, 'certificates', uuid)).status).toBe('nok'), {
      timeout: 8_000,
    });
  });
});

describe('keys', () => {
  it("are checked against their token profiles' compliance profiles", async () => {
    const path = await createTokenWithProfile(client);
    const key = await createKey(client, path, { specification: 'P-256', enabled: true });
    const rule = await makeRule(client, 'keys', condition('CKI_LENGTH', 'GREATER', 300));
    await associate(
      client,
      await makeProfile(client, { internalRules: [rule] }),
      path.tokenProfileUuid,
      'tokenProfiles',
    );
    expect(await checkObject(client, 'keys', key.uuid)).toMatchObject({ status: 'nok', failedRules: [{ uuid: rule }] });
    const { keyItemUuid } = itemPath(path, key, 'Public');
    expect(await resultOf(client, 'keys', keyItemUuid)).toMatchObject({ status: 'nok' });
    const shown = await client.keys.getKey({ params: { uuid: key.uuid } });
    expect(shown.complianceStatus).toBe('nok');
  });
});

describe('checks of multiple objects', () => {
  it('count their results', async () => {
    const rule = await makeRule(client, 'certificates', condition('COMMON_NAME', 'STARTS_WITH', 'a'));
    const path = await createGovernedAuthority(client, { internalRules: [rule] });
    for (const name of ['a.example', 'b.example', 'c.example']) await issueCertificate(client, path, name);
    await client.compliance.checkComplianceV2({ body: [path.profileUuid], query: {} });
    const { uuid: runUuid } = await latestRun(client);
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
});

describe('the permissions', () => {
  it('on the objects of a check are required, both for the check and for its result', async () => {
    const uuid = await issueCertificate(client, await createGovernedAuthority(client, {}), 'hidden.example');
    const some = await userWithRole(server, [
      { name: 'complianceProfiles', allowAllActions: true, actions: [], objects: [] },
    ]);
    const params = { resource: 'certificates' as const, objectUuid: uuid };
    const check = some.client.compliance.checkResourceObjectComplianceV2({ params });
    expect(await rejectionOf(check)).toMatchObject({ status: 403 });
    expect(await rejectionOf(some.client.compliance.getComplianceCheckResultV2({ params }))).toMatchObject({
      status: 403,
    });
    expect(await rejectionOf(resultOf(client, 'certificates', randomUUID()))).toMatchObject({ status: 404 });
  });
});
