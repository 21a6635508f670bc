// Compliance providers (v1 and v2): their rules, and the check of a certificate against all of them.
import { randomUUID } from 'node:crypto';
import {
  complianceProviderOperations as first,
  complianceProviderV2Operations as second,
  type BaseAttributeDto,
  type Operation,
  type RequestAttributeDto,
  type Resource,
} from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { createExternalAuthority } from '../certificates/external-authority.ts';
import { makeRequest } from '../certificates/requests.ts';
import { problemsOfDefinitions } from '../definitions.ts';
import type { Scope } from '../scope.ts';
import { expect, requireResult } from '../session.ts';
import { badValuesOf } from '../values/bad-values.ts';
import { generateValues } from '../values/generate-values.ts';
import { checkKindForm } from './credential.ts';

interface Rule {
  readonly uuid: string;
  readonly groupUuid?: string | undefined;
  readonly name: string;
  readonly attributes?: BaseAttributeDto[] | undefined;
}

interface Catalog {
  readonly rules: readonly Rule[];
  readonly groups: readonly { readonly uuid: string }[];
}

export async function checkComplianceProvider(scope: Scope): Promise<void> {
  const { session, kind } = scope;
  await checkKindForm(scope, 'compliance');
  const params = { kind };
  const catalogue = await scope.check('lists its rules and groups', async () => {
    const rules = await session.ask(first.listRules, { params });
    const groups = await session.ask(first.listGroups, { params });
    return requireConsistent({ rules, groups });
  });
  await scope.check('returns the rules of each group', async () => {
    const { rules, groups } = requireResult(catalogue, 'lists its rules and groups');
    for (const { uuid } of groups) {
      const listed = await session.ask(first.listGroupDetails, { params: { kind, uuid } });
      requireSame(
        listed,
        rules.filter(({ groupUuid }) => groupUuid === uuid),
      );
    }
  });
  await scope.check('returns 404 for a group that does not exist', () =>
    session.refused(first.listGroupDetails, { params: { kind, uuid: randomUUID() } }, [404]),
  );
  await checkUnknownKinds(scope, [first.listRules, first.listGroups]);
  await scope.check('checks a certificate against every rule', async () => {
    const { rules } = requireResult(catalogue, 'lists its rules and groups');
    const body = { certificate: await sampleCertificate(), rules: rules.map(toRequestedRule) };
    const { status, rules: results = [] } = await session.ask(first.checkCompliance, { params, body });
    requireResults(rules, results);
    requireStatus(status, results);
  });
  await scope.check('checks a certificate against all rules if none are specified', async () => {
    const { rules } = requireResult(catalogue, 'lists its rules and groups');
    const body = { certificate: await sampleCertificate() };
    requireResults(rules, (await session.ask(first.checkCompliance, { params, body })).rules ?? []);
  });
  await checkBadValues(scope, {
    rules: () => requireResult(catalogue, 'lists its rules and groups').rules,
    refuse: async (rules) =>
      session.refused(
        first.checkCompliance,
        { params, body: { certificate: await sampleCertificate(), rules } },
        [422],
      ),
  });
  await scope.check('rejects data that is not a certificate', () =>
    session.refused(first.checkCompliance, { params, body: { certificate: NO_CERTIFICATE, rules: [] } }, [422, 400]),
  );
}

export async function checkComplianceProviderV2(scope: Scope): Promise<void> {
  const { session, kind } = scope;
  await checkKindForm(scope, 'compliance');
  const params = { kind };
  const catalogue = await scope.check('lists its rules and groups', async () => {
    const rules = await session.ask(second.listRules, { params });
    const groups = await session.ask(second.listGroups, { params });
    return { ...requireConsistent({ rules, groups }), rules };
  });
  const listed = () => requireResult(catalogue, 'lists its rules and groups');
  await checkCatalog(scope, listed);
  await checkUnknownKinds(scope, [second.listRules, second.listGroups]);
  await checkCertificates(scope, listed);
  await checkOtherResources(scope, listed);
}

type ListCatalog = () => { readonly rules: readonly (Rule & RuleFacts)[]; readonly groups: Catalog['groups'] };

/** Checks rules and groups individually, by resource and in batches. */
async function checkCatalog(scope: Scope, listed: ListCatalog): Promise<void> {
  const { session, kind } = scope;
  const params = { kind };
  await scope.check('lists the rules and groups of a resource', async () => {
    for (const resource of new Set(listed().rules.map((rule) => rule.resource))) {
      const expected = listed().rules.filter((rule) => rule.resource === resource);
      requireSame(await session.ask(second.listRules, { params, query: { resource } }), expected);
      const named = new Set(expected.map(({ groupUuid }) => groupUuid));
      const groups = await session.ask(second.listGroups, { params, query: { resource } });
      const lost = listed().groups.find(({ uuid }) => named.has(uuid) && !groups.some((group) => group.uuid === uuid));
      expect(
        !lost,
        `The list does not contain group ${lost?.uuid}, which has rules for ${resource}.`,
        'the groups of those rules',
      );
    }
  });
  await scope.check('returns a rule, a group and the rules of a group', async () => {
    const { rules, groups } = listed();
    const [rule] = rules;
    if (rule) requireSame([await session.ask(second.getRule, { params: { kind, ruleUuid: rule.uuid } })], [rule]);
    for (const group of groups) {
      const groupParams = { kind, groupUuid: group.uuid };
      requireSame([await session.ask(second.getGroup, { params: groupParams })], [group]);
      const members = rules.filter(({ groupUuid }) => groupUuid === group.uuid);
      requireSame(await session.ask(second.getGroupRules, { params: groupParams }), members);
    }
  });
  await scope.check('returns 404 for a rule and a group that do not exist', async () => {
    await session.refused(second.getRule, { params: { kind, ruleUuid: randomUUID() } }, [404]);
    await session.refused(second.getGroup, { params: { kind, groupUuid: randomUUID() } }, [404]);
    await session.refused(second.getGroupRules, { params: { kind, groupUuid: randomUUID() } }, [404]);
  });
  await scope.check('returns rules and groups in one batch', async () => {
    const [rule] = listed().rules;
    const [group] = listed().groups;
    if (!rule) throw scope.lacking('The connector has no rules.');
    const body = { ruleUuids: [rule.uuid], groupUuids: group ? [group.uuid] : [], withGroupRules: true };
    const batch = await session.ask(second.getRulesBatch, { params, body });
    requireSame(batch.rules, [rule]);
    requireSame(batch.groups, group ? [group] : []);
    const members = listed().rules.filter(({ groupUuid }) => group !== undefined && groupUuid === group.uuid);
    if (group) requireSame(batch.groups[0]?.rules ?? [], members);
    const bare = await session.ask(second.getRulesBatch, { params, body: { ...body, withGroupRules: false } });
    expect(
      bare.groups.every(({ rules = [] }) => rules.length === 0),
      'A group contains rules that were not requested.',
      'groups without their rules',
    );
  });
}

/** Checks a certificate by rules and by a group, and requests that must be rejected. */
async function checkCertificates(scope: Scope, listed: ListCatalog): Promise<void> {
  const { session, kind } = scope;
  const params = { kind };
  const request = { resource: 'certificates', type: 'X.509', groups: [] };
  await scope.check('checks a certificate against every rule', async () => {
    const rules = listed().rules.filter(({ resource }) => resource === 'certificates');
    const body = { ...request, data: await sampleCertificate(), rules: rules.map(toRequestedRule) };
    const { status, rules: results } = await session.ask(second.checkCompliance, { params, body });
    requireResults(rules, results);
    if (status !== undefined) requireStatus(status, results);
  });
  await scope.check('checks a certificate against the rules of a group', async () => {
    const rules = listed().rules.filter(({ resource }) => resource === 'certificates');
    const group = listed().groups.find(({ uuid }) => rules.some(({ groupUuid }) => groupUuid === uuid));
    if (!group) throw scope.lacking('The connector has no groups of rules for certificates.');
    const body = { ...request, data: await sampleCertificate(), rules: [], groups: [group.uuid] };
    const { rules: results } = await session.ask(second.checkCompliance, { params, body });
    requireResults(
      rules.filter(({ groupUuid }) => groupUuid === group.uuid),
      results,
    );
  });
  await checkBadValues(scope, {
    rules: () => listed().rules.filter(({ resource }) => resource === 'certificates'),
    refuse: async (rules) =>
      session.refused(
        second.checkCompliance,
        { params, body: { ...request, data: await sampleCertificate(), rules } },
        [422],
      ),
  });
  await scope.check('rejects data that is not a certificate', () => {
    const rules = listed()
      .rules.filter(({ resource }) => resource === 'certificates')
      .map(toRequestedRule);
    return session.refused(
      second.checkCompliance,
      { params, body: { ...request, data: NO_CERTIFICATE, rules } },
      [422, 400],
    );
  });
}

/** Samples of the other resources that rules can apply to, with type and format. */
const OTHER_OBJECTS = {
  certificateRequests: {
    what: 'a CSR',
    type: 'X.509',
    format: 'pkcs10',
    data: async () => (await makeRequest()).text,
  },
  keys: {
    what: 'a public key',
    type: 'Public',
    format: 'SubjectPublicKeyInfo',
    data: async () => toBase64((await makeRequest()).spki),
  },
} as const;

async function checkOtherResources(scope: Scope, listed: ListCatalog): Promise<void> {
  const { session, kind } = scope;
  for (const [resource, { what, type, format, data }] of Object.entries(OTHER_OBJECTS)) {
    await scope.check(`checks ${what} against every applicable rule`, async () => {
      const rules = listed().rules.filter(
        (rule) => rule.resource === resource && (rule.type ?? type) === type && (rule.format ?? format) === format,
      );
      if (rules.length === 0) throw scope.lacking(`The connector has no rules that apply to ${what}.`);
      // The keys of the table are resources.
      const object = { resource: resource as Resource, type, format, data: await data() };
      const body = { ...object, rules: rules.map(toRequestedRule), groups: [] };
      const { rules: results } = await session.ask(second.checkCompliance, { params: { kind }, body });
      requireResults(rules, results);
    });
  }
}

interface RuleFacts {
  readonly resource: Resource;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
}

/** Checks each kind of invalid value for the rules that have attributes. */
async function checkBadValues(
  scope: Scope,
  {
    rules,
    refuse,
  }: {
    readonly rules: () => readonly Rule[];
    readonly refuse: (asked: { uuid: string; attributes: RequestAttributeDto[] }[]) => Promise<unknown>;
  },
): Promise<void> {
  await scope.check('rejects rule attributes that violate their definitions', async () => {
    const bad = rules().flatMap((rule) =>
      badValuesOf(rule.attributes ?? [], toRequestedRule(rule).attributes).map(({ values }) => ({
        uuid: rule.uuid,
        attributes: [...values],
      })),
    );
    if (bad.length === 0) throw scope.lacking('No rule has attributes whose values can be invalid.');
    for (const each of bad) await refuse([each]);
  });
}

/** Requires the overall status `nok` if, and only if, a rule is violated. */
function requireStatus(status: string, results: readonly { readonly status: string }[]): void {
  const isViolated = results.some((result) => result.status === 'nok' || result.status === 'not_available');
  expect(
    (status === 'nok') === isViolated,
    `The overall status is ${status}, but ${isViolated ? 'a rule is violated' : 'all rules are met'}.`,
    'nok if and only if a rule is violated',
  );
}

const NO_CERTIFICATE = toBase64(Buffer.from('no certificate'));

/** Returns a certificate that most rules apply to. */
async function sampleCertificate(): Promise<string> {
  const { issue } = await createExternalAuthority('CN=Conformance check');
  return toBase64(
    issue({ subject: 'CN=www.example.com', spki: (await makeRequest()).spki, dnsNames: ['www.example.com'] }),
  );
}

function requireConsistent(catalogue: Catalog): Catalog {
  const { rules, groups } = catalogue;
  const uuids = [...rules, ...groups].map(({ uuid }) => uuid);
  expect(new Set(uuids).size === uuids.length, 'An identifier is used twice.', 'distinct identifiers');
  const lost = rules.find(({ groupUuid }) => groupUuid !== undefined && !groups.some(({ uuid }) => uuid === groupUuid));
  expect(!lost, `Rule ${lost?.name} belongs to a group that is not listed.`, 'a listed group');
  const problems = rules.flatMap(({ attributes = [] }) => problemsOfDefinitions(attributes));
  expect(problems.length === 0, problems.join(' '), 'well-formed definitions');
  return catalogue;
}

function requireSame(found: readonly { uuid: string }[], expected: readonly { uuid: string }[]): void {
  const key = (list: readonly { uuid: string }[]): string =>
    list
      .map(({ uuid }) => uuid)
      .toSorted()
      .join();
  expect(
    key(found) === key(expected),
    'The response does not match the lists of rules and groups.',
    `${expected.length} of the listed rules or groups`,
  );
}

/** Returns a rule as requested in a check, with values for its attributes. */
function toRequestedRule({ uuid, attributes = [] }: Rule): { uuid: string; attributes: RequestAttributeDto[] } {
  return { uuid, attributes: generateValues(attributes, { given: {}, choices: new Map(), sources: new Set() }) };
}

function requireResults(rules: readonly Rule[], results: readonly { uuid: string }[]): void {
  const silent = rules.filter(({ uuid }) => !results.some((result) => result.uuid === uuid));
  expect(
    silent.length === 0,
    `The response contains no result for ${silent.map(({ name }) => name).join(', ')}.`,
    'a result for each rule',
  );
}

async function checkUnknownKinds(scope: Scope, operations: readonly Operation[]): Promise<void> {
  await scope.check('returns 404 for an unknown kind', async () => {
    for (const operation of operations)
      await scope.session.refused(operation, { params: { kind: 'NoSuchKind' } }, [404]);
  });
}
