import { describe, expect, it } from 'vitest';
import { connectorOperations, platformAreas, platformOperations } from './catalogue.ts';
import type { Operation, OperationTable } from './operation.ts';
import { resourceActions } from './platform/resource-actions.ts';

const interfaces: [string, OperationTable][] = [
  ['platform', platformOperations],
  ['connector', connectorOperations],
];

const names = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);

describe.each(interfaces)('operations of the %s interface', (_, table) => {
  const operations: Operation[] = Object.values(table);

  it('have unique ids', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('have unique methods and paths, whatever path parameters are called', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(operations.length);
  });

  it('describe exactly the parameters of their path', () => {
    for (const { id, path, params } of operations)
      expect([id, Object.keys(params?.shape ?? {})]).toEqual([id, names(path)]);
  });

  it('take no body with GET and answer none with 204', () => {
    for (const { id, method, body, success } of operations) {
      if (method === 'GET') expect([id, body]).toEqual([id, undefined]);
      if (success.status === 204) expect([id, success.body ?? success.media]).toEqual([id, undefined]);
    }
  });
});

describe('operations of the platform', () => {
  const operations: [string, Operation][] = Object.entries(platformOperations);

  it('keep every key of every area', () => {
    const keys = Object.values(platformAreas).flatMap((table) => Object.keys(table));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.toSorted()).toEqual(Object.keys(platformOperations).toSorted());
  });

  it('all say who may call them', () => {
    for (const [key, { access }] of operations) expect([key, access]).not.toEqual([key, undefined]);
  });

  it('ask only for actions that can be granted, on objects that their path names', () => {
    for (const [key, { access, path }] of operations) {
      if (typeof access !== 'object') continue;
      for (const permission of access.parent ? [access, access.parent] : [access]) {
        const { resource, action, object } = permission;
        if (action !== 'ANY') expect([key, resourceActions[resource]]).toEqual([key, expect.arrayContaining([action])]);
        if (object !== undefined) expect([key, names(path)]).toEqual([key, expect.arrayContaining([object])]);
      }
    }
  });

  it('are audited when they change something', () => {
    const unaudited = operations.filter(([, { method, audit }]) => method !== 'GET' && !audit).map(([key]) => key);
    const searchesAndChecks = [
      'getCertificateContent',
      'identifyUser',
      'listAuditLogs',
      'listCertificates',
      'searchCertificates',
      'validateApiKeyAuthAttributes',
      'validateBasicAuthAttributes',
      'validateCertificateAuthAttributes',
      'validateConnectorAttributes',
      'validateIssueCertificateAttributes',
      'validateJWTAuthAttributes',
      'validateRAProfileAttributes',
      'validateRevokeCertificateAttributes',
      'verifyAuditLog',
    ];
    expect(unaudited.toSorted()).toEqual(searchesAndChecks);
  });
});
