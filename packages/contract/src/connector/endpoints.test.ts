import { describe, expect, it } from 'vitest';
import { connectorOperations } from '../catalogue.ts';
import type { Operation } from '../operation.ts';
import { functionGroupSpecifications } from './endpoints.ts';

describe('the specification of function groups', () => {
  it('names no endpoint of a group twice', () => {
    for (const { endpoints } of Object.values(functionGroupSpecifications)) {
      const keys = endpoints.map(({ name, method, context }) => `${name} ${method} ${context}`);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('demands of authority providers only what the declared operations serve', () => {
    const operations: Operation[] = Object.values(connectorOperations);
    const served = operations.map(({ method, path }) => `${method} ${path}`);
    const { endpoints } = functionGroupSpecifications.authorityProvider;
    const missing = endpoints
      .map(
        ({ method, context }) =>
          `${method} ${context.replace('/authorityProvider/{kind}/', '/{functionalGroup}/{kind}/')}`,
      )
      .filter((endpoint) => !served.includes(endpoint));
    expect(missing).toEqual([]);
  });

  it('demands 14 endpoints of an authority provider and 2 of a credential provider', () => {
    const demanded = (group: keyof typeof functionGroupSpecifications) =>
      functionGroupSpecifications[group].endpoints.filter(({ required }) => required).length;
    expect(demanded('authorityProvider')).toBe(14);
    expect(demanded('credentialProvider')).toBe(2);
  });
});
