import { describe, expect, it } from 'vitest';
import { platformOperations } from './catalog.ts';
import type { Operation } from './operation.ts';

const operations = Object.values<Operation>(platformOperations);

describe('audit facts for reads', () => {
  it.each([
    ['listGroups', 'core', 'groups', 'list'],
    ['getGroup', 'core', 'groups', 'detail'],
    ['listCertificates', 'certificates', 'certificates', 'list'],
    ['getCertificateChain', 'certificates', 'certificates', 'getChain'],
    ['downloadCertificate', 'certificates', 'certificates', 'download'],
    ['downloadCertificateChain', 'certificates', 'certificates', 'downloadChain'],
    ['getCertificateEventHistory', 'certificates', 'certificates', 'history'],
    ['getCertificateValidationResult', 'certificates', 'certificates', 'checkValidation'],
    ['getChainValidation', 'certificates', 'certificates', 'checkValidation'],
    ['getConnectorAttributes', 'core', 'connectors', 'listAttributes'],
    ['validateConnectorAttributes', 'core', 'connectors', 'validateAttributes'],
    ['connectorCallback', 'core', 'connectors', 'attributeCallback'],
    ['getCustomAttribute', 'core', 'attributes', 'detail'],
    ['getResourceCustomAttributes', 'core', 'attributes', 'list'],
    ['getRolePermissions', 'auth', 'roles', 'getPermissions'],
    ['getResourcePermissionObjects', 'auth', 'roles', 'getObjectPermissions'],
    ['getUserProfile', 'auth', 'users', 'getUserProfile'],
    ['getStatistics', 'core', 'dashboard', 'statistics'],
  ] as const)('for %s are %s, %s, %s', (key, module, resource, operation) => {
    expect((platformOperations[key] as Operation).read).toEqual({ module, resource, operation });
  });

  it('exist for every operation that requires a permission and changes nothing', () => {
    const without = operations.filter(({ access, audit, read }) => typeof access === 'object' && !audit && !read);
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it('never occur together with audit facts for changes', () => {
    expect(operations.filter(({ audit, read }) => audit && read)).toEqual([]);
  });
});
