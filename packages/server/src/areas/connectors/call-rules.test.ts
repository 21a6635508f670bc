import { connectorOperations } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { callRulesOf, LONGEST_CALL_MS } from './call-rules.ts';

const rules = Object.entries(connectorOperations).map(([id, operation]) => ({
  id,
  operation,
  ...callRulesOf(operation),
}));
const idsOf = (isMeant: (rule: (typeof rules)[number]) => boolean) =>
  rules
    .filter(isMeant)
    .map(({ id }) => id)
    .toSorted();

describe('the call rules', () => {
  it('allow 10 s for status checks, 180 s for key generation and access to locations, and 30 s for attribute forms', () => {
    const withTime = (ms: number) => idsOf(({ timeoutMs }) => timeoutMs === ms);
    expect(withTime(10_000)).toEqual([
      'checkHealth',
      'getConnection',
      'getTokenInstanceStatus',
      'listSupportedFunctions',
    ]);
    expect(withTime(180_000)).toEqual([
      'createKeyPair',
      'createSecretKey',
      'generateCsrLocation',
      'getLocationDetail',
      'listKeys',
      'pushCertificateToLocation',
      'removeCertificateFromLocation',
    ]);
    for (const { operation, pace } of rules)
      if (/\/attributes(?:\/validate)?$/.test(operation.path))
        expect([operation.id, pace]).toEqual([operation.id, 'form']);
    expect(rules.find(({ id }) => id === 'issueCertificate_CertificateV2')?.timeoutMs).toBe(60_000);
    expect(LONGEST_CALL_MS).toBe(180_000);
  });

  it('never repeat an operation that changes something', () => {
    const repeatedChanges = idsOf(
      ({ operation, repeated }) => repeated === 'harmless' && ['PUT', 'PATCH', 'DELETE'].includes(operation.method),
    );
    expect(repeatedChanges).toEqual([]);
    const posts = idsOf(
      ({ operation, repeated }) =>
        operation.method === 'POST' && repeated === 'harmless' && !operation.path.endsWith('/validate'),
    );
    expect(posts).toEqual([
      'checkCompliance_Compliance',
      'checkCompliance_ComplianceV2',
      'decryptData',
      'encryptData',
      'getCaCertificates',
      'getCrl',
      'getDiscovery',
      'getLocationDetail',
      'getRulesBatch',
      'identifyCertificate',
      'previewNotification',
      'randomData',
      'verifyData',
    ]);
  });

  it('identify operations that would take effect twice if repeated, regardless of the method', () => {
    const effects = idsOf(({ repeated }) => repeated === 'again');
    expect(effects).toEqual(
      expect.arrayContaining(['issueCertificate_CertificateV2', 'sendNotification', 'resetPassword']),
    );
    expect(effects).not.toContain('updateEntityInstance');
  });
});
