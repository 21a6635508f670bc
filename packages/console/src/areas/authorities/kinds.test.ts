import { describe, expect, it } from 'vitest';
import { usualKind, type AuthorityKind } from './kinds.ts';

const kind = (name: string, functionGroup: AuthorityKind['functionGroup']): AuthorityKind => ({
  connectorUuid: '0193f0a2-7c10-7000-8000-000000000001',
  connectorName: 'connector',
  address: 'built in',
  functionGroup,
  kind: name,
});
const [current, other] = [kind('A', 'authorityProvider'), kind('B', 'authorityProvider')];
const [legacy, older] = [kind('C', 'legacyAuthorityProvider'), kind('D', 'legacyAuthorityProvider')];

describe('the initially selected kind', () => {
  it.each([
    ['the only one', [legacy], legacy],
    ['the only one of the second generation', [legacy, current, older], current],
    ['none of several', [current, other, legacy], undefined],
    ['none of several of the first generation', [legacy, older], undefined],
    ['none where there is none', [], undefined],
  ])('is %s', (_, kinds, chosen) => {
    expect(usualKind(kinds)).toBe(chosen);
  });

  it('is the one from the connector that the user came from, if there is one', () => {
    const there = { ...legacy, connectorUuid: '0193f0a2-7c10-7000-8000-000000000002' };
    expect(usualKind([current, there], there.connectorUuid)).toBe(there);
    expect(usualKind([current, there], '0193f0a2-7c10-7000-8000-000000000003')).toBe(current);
  });
});
