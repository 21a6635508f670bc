// Checks across several members of provider messages.
import { describe, expect, it } from 'vitest';
import { ComplianceRequestDtoV2, ComplianceRulesBatchRequestDto } from './compliance-v2-shapes.ts';
import { KeyData } from './key-shapes.ts';

const RULE = '0193f0a2-7c10-7000-8000-000000000001';
const problemsOf = (schema: typeof KeyData, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()) ?? [];

describe('key data', () => {
  const key = { type: 'Private', algorithm: 'RSA', length: 2048 };

  it('can have any members in the custom format, and has one value in every other format', () => {
    expect(problemsOf(KeyData, { ...key, format: 'Custom', value: { values: { handle: '17' } } })).toEqual([]);
    expect(problemsOf(KeyData, { ...key, format: 'PrivateKeyInfo', value: { value: 'MIIB' } })).toEqual([]);
    const wrong = ['value must match the key format'];
    expect(problemsOf(KeyData, { ...key, format: 'Custom', value: { value: 'MIIB' } })).toEqual(wrong);
    expect(problemsOf(KeyData, { ...key, format: 'Raw', value: { values: { handle: '17' } } })).toEqual(wrong);
  });
});

describe('a request to a compliance provider', () => {
  it('specifies the resource if it specifies a type or format', () => {
    const request = { data: 'MIIB', rules: [], groups: [] };
    expect(ComplianceRequestDtoV2.safeParse(request).success).toBe(true);
    expect(ComplianceRequestDtoV2.safeParse({ ...request, resource: 'certificates', type: 'X.509' }).success).toBe(
      true,
    );
    for (const narrowed of [{ type: 'X.509' }, { format: 'pkcs10' }])
      expect(ComplianceRequestDtoV2.safeParse({ ...request, ...narrowed }).error?.issues[0]?.path).toEqual([
        'resource',
      ]);
  });

  it('for a batch of rules specifies at least one rule or group', () => {
    expect(ComplianceRulesBatchRequestDto.safeParse({ ruleUuids: [], groupUuids: [] }).success).toBe(false);
    const batch = ComplianceRulesBatchRequestDto.parse({ ruleUuids: [RULE], groupUuids: [] });
    expect(batch.withGroupRules).toBe(false);
  });
});
