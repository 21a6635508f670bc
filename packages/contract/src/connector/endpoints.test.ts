import { describe, expect, it } from 'vitest';
import { FunctionGroupCode } from '../enums/connectors.ts';
import type { Operation } from '../operation.ts';
import { functionGroupSpecifications } from './endpoints.ts';
import { functionGroupOperations, optionalOperations } from './function-groups.ts';

describe('the function group specification', () => {
  it('lists each endpoint of a group once', () => {
    for (const { endpoints } of Object.values(functionGroupSpecifications)) {
      const keys = endpoints.map(({ name, method, context }) => `${name} ${method} ${context}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it.each(FunctionGroupCode.options)(
    'requires for a %s only endpoints that its operations implement, under the same names',
    (code) => {
      const served = Object.entries<Operation>(functionGroupOperations[code]).map(
        ([name, { method, path }]) => `${name} ${method} ${path.replace('{functionalGroup}', code)}`,
      );
      const demanded = functionGroupSpecifications[code].endpoints
        .filter(({ required }) => required)
        .map(({ name, method, context }) => `${name} ${method} ${context}`);
      expect(demanded.filter((endpoint) => !served.includes(endpoint))).toEqual([]);
    },
  );

  it.each(FunctionGroupCode.options)('does not let a %s omit required endpoints, except value checks', (code) => {
    const optional: readonly string[] = optionalOperations[code];
    const demanded = functionGroupSpecifications[code].endpoints.filter(({ required }) => required);
    const left = demanded.map(({ name }) => name).filter((name) => optional.includes(name));
    // The SDK implements these: checks follow from the definitions, and most tokens have no options.
    expect(left.filter((name) => !name.startsWith('validate') && name !== 'getCreateTokenAttributes')).toEqual([]);
  });

  it('requires as many endpoints in each group as the published interface does', () => {
    const demanded = FunctionGroupCode.options.map((code) => [
      code,
      functionGroupSpecifications[code].endpoints.filter(({ required }) => required).length,
    ]);
    expect(Object.fromEntries(demanded)).toEqual({
      credentialProvider: 2,
      legacyAuthorityProvider: 4,
      authorityProvider: 14,
      discoveryProvider: 3,
      entityProvider: 15,
      complianceProvider: 4,
      complianceProviderV2: 7,
      cryptographyProvider: 31,
      notificationProvider: 9,
    });
  });
});
