import { describe, expect, it } from 'vitest';
import { caaRulesOf } from './caa-default.ts';

const withName = { defaultCaaIdentity: () => 'pki.acme-users.org' };

describe("a profile's CAA rules", () => {
  it("are the profile's own if it specifies any, even an empty list, which disables the check", () => {
    for (const caaIdentities of [['ca.example'], []])
      expect(caaRulesOf({ caaIdentities }, withName)).toEqual({ caaIdentities, isCaaByDefault: false });
  });

  it("default to the authority's name, and check nothing if the authority has no public name", () => {
    const silent = { caaIdentities: undefined };
    expect(caaRulesOf(silent, withName)).toEqual({ caaIdentities: ['pki.acme-users.org'], isCaaByDefault: true });
    for (const settings of [{}, { defaultCaaIdentity: () => undefined }])
      expect(caaRulesOf(silent, settings).caaIdentities).toEqual([]);
  });
});
