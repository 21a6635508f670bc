import { describe, expect, it } from 'vitest';
import { caaRulesOf } from './caa-default.ts';

const withName = { defaultCaaIdentity: () => 'pki.acme-users.org' };

describe('the CAA rules of a profile', () => {
  it('are its own if it sets any, even an empty list that disables the check', () => {
    for (const caaIdentities of [['ca.example'], []])
      expect(caaRulesOf({ caaIdentities }, withName)).toEqual({ caaIdentities, isCaaByDefault: false });
  });

  it("default to the authority's name, and check nothing for an authority without a public name", () => {
    const silent = { caaIdentities: undefined };
    expect(caaRulesOf(silent, withName)).toEqual({ caaIdentities: ['pki.acme-users.org'], isCaaByDefault: true });
    for (const settings of [{}, { defaultCaaIdentity: () => undefined }])
      expect(caaRulesOf(silent, settings).caaIdentities).toEqual([]);
  });
});
