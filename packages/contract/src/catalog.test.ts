import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectorOperations, platformAreas, platformOperations } from './catalog.ts';
import type { Operation, OperationTable } from './operation.ts';
import type { Resource } from './platform/resource.ts';
import { actionsOf } from './platform/resource-actions.ts';

const interfaces: [string, OperationTable][] = [
  ['platform', platformOperations],
  ['connector', connectorOperations],
];

const names = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);

describe.each(interfaces)('operations in the %s interface', (_, table) => {
  const operations: Operation[] = Object.values(table);

  it('have unique IDs', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('have unique methods and paths, regardless of parameter names', () => {
    const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(operations.length);
  });

  it('declare exactly the parameters that their path contains', () => {
    for (const { id, path, params } of operations)
      expect([id, Object.keys(params?.shape ?? {})]).toEqual([id, names(path)]);
  });

  it('have no body for GET and no response body for 204', () => {
    for (const { id, method, body, success } of operations) {
      if (method === 'GET') expect([id, body]).toEqual([id, undefined]);
      if (success.status === 204) expect([id, success.body ?? success.media]).toEqual([id, undefined]);
    }
  });
});

describe('platform operations', () => {
  it('have unique combinations of method and path', () => {
    const route = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    const routes = Object.values(platformOperations).map(route);
    expect(routes.filter((each, index) => routes.indexOf(each) !== index)).toEqual([]);
  });
});

describe('connector operations', () => {
  const operations: [string, Operation][] = Object.entries(connectorOperations);

  it('are those of the published interface plus the callback required by platforms, the message preview and the release from hold', () => {
    expect(operations).toHaveLength(97 + 3);
  });

  it('declare what happens if they are repeated, unless this follows from the method', () => {
    const unsaid = operations.filter(
      ([, { method, path, repeated }]) =>
        (method === 'PATCH' || method === 'POST') && repeated === undefined && !path.endsWith('/validate'),
    );
    const withEffectEachTime = [
      'createAuthorityInstance',
      'createEndEntity',
      'createEntityInstance',
      'createKeyPair',
      'createNotificationInstance',
      'createSecretKey',
      'createTokenInstance',
      'discoverCertificate',
      'generateCsrLocation',
      'issueCertificate_Certificate',
      'issueCertificate_CertificateV2',
      'pushCertificateToLocation',
      'releaseCertificate',
      'renewCertificate',
      'revokeCertificate_Certificate',
      'revokeCertificate_CertificateV2',
      'sendNotification',
    ];
    expect(unsaid.map(([id]) => id).toSorted()).toEqual(withEffectEachTime);
  });
});

describe('platform operations', () => {
  const operations: [string, Operation][] = Object.entries(platformOperations);

  it('include the operations of every area, each with a unique key', () => {
    const keys = Object.values(platformAreas).flatMap((table) => Object.keys(table));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.toSorted()).toEqual(Object.keys(platformOperations).toSorted());
  });

  it('all declare who can call them', () => {
    for (const [key, { access }] of operations) expect([key, access]).not.toEqual([key, undefined]);
  });

  it('require only actions that can be granted, on objects identified by their path', () => {
    for (const [key, { access, also = [], path }] of operations) {
      const own = typeof access !== 'object' ? [] : access.parent ? [access, access.parent] : [access];
      for (const { resource, action, object } of [...own, ...also]) {
        if (resource === 'ANY') continue; // Full permissions.
        if (resource.startsWith('{')) {
          expect([key, names(path)]).toEqual([key, expect.arrayContaining([resource.slice(1, -1)])]);
          continue;
        }
        const known = actionsOf(resource as Resource); // The others are handled above.
        expect([key, known]).toEqual([key, expect.arrayContaining([action])]);
        if (object !== undefined) expect([key, names(path)]).toEqual([key, expect.arrayContaining([object])]);
      }
    }
  });

  it('identify additional objects by members of their body', () => {
    for (const [key, { also = [], body }] of operations) {
      for (const { named } of also) {
        if (named === undefined || named === '$') continue;
        let schema: unknown = body;
        for (const member of named.split('.')) {
          while (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) schema = schema.unwrap();
          // A list refers to each of its entries.
          if (schema instanceof z.ZodArray) schema = schema.element;
          schema = schema instanceof z.ZodObject ? schema.shape[member] : undefined;
        }
        expect([key, named, schema instanceof z.ZodType]).toEqual([key, named, true]);
      }
    }
  });

  it('are audited if they make a change', () => {
    const unaudited = operations.filter(([, { method, audit }]) => method !== 'GET' && !audit).map(([key]) => key);
    const searchesAndChecks = [
      'connectorCallback',
      'explainCronExpression',
      'getCertificateContent',
      'identifyUser',
      'listAuditLogs',
      'listCertificates',
      'listConnectorsV2',
      'listCustomOidEntries',
      'listDiscoveries',
      'listEntityInstances',
      'listKeys',
      'listLocations',
      'previewNotification',
      'probeLocation',
      'resourceCallback',
      'searchCertificates',
      'simulateRenewals',
      'startPasskeyRegistration',
      'testProvider',
      'tryWorkflow',
      'validateApiKeyAuthAttributes',
      'validateBasicAuthAttributes',
      'validateCertificateAuthAttributes',
      'validateConnectorAttributes',
      'validateIssueCertificateAttributes',
      'validateJWTAuthAttributes',
      'validateLocationAttributes',
      'validateRAProfileAttributes',
      'validateRevokeCertificateAttributes',
      'verifyAuditLog',
    ];
    expect(unaudited.toSorted()).toEqual(searchesAndChecks);
  });
});
