// Operations listed by a connector, in the forms that connectors from different vendors use.
import {
  authorityProviderOperations,
  connectorBaseOperations,
  legacyAuthorityProviderOperations,
} from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isUnlisted } from './listed-operations.ts';

const { getCrl, getAuthorityInstance, removeAuthorityInstance } = authorityProviderOperations;
const { createEndEntity } = legacyAuthorityProviderOperations;
const listing = (name: string, method: string, context: string) => [
  { endPoints: [{ uuid: '', name, method, context, required: false }] },
];

describe('an operation in a function group', () => {
  it.each([
    ['by its path, whatever its variables are called', listing('one', 'get', '/v1/authorityProvider/authorities/{id}')],
    ['by its name', listing('getAuthorityInstance', 'GET', '/elsewhere/{uuid}')],
  ])('counts as listed %s', (_how, groups) => {
    expect(isUnlisted(getAuthorityInstance, groups)).toBe(false);
  });

  it.each([
    ['nothing', []],
    ['another method', listing('one', 'PATCH', '/v1/authorityProvider/authorities/{uuid}')],
    [
      'another operation',
      listing('getCaCertificates', 'POST', '/v1/authorityProvider/authorities/{uuid}/caCertificates'),
    ],
  ])('is unlisted if the connector lists %s', (_what, groups) => {
    expect(isUnlisted(getAuthorityInstance, groups)).toBe(true);
  });

  it('is recognized in its published notation', () => {
    const context = '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities';
    expect(isUnlisted(createEndEntity, listing('createEndEntity', 'POST', context))).toBe(false);
    expect(isUnlisted(createEndEntity, [])).toBe(true);
  });
});

it('base operations, callbacks, deletions and operations that are not in the published list need not be listed', () => {
  for (const operation of [
    ...Object.values(connectorBaseOperations),
    { method: 'GET', path: '/v1/authorityProvider/callbacks/x' } as const,
    getCrl,
    removeAuthorityInstance,
  ])
    expect(isUnlisted(operation, [])).toBe(false);
});
