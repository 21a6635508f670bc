import { beforeAll, describe, expect, it } from 'vitest';
import {
  certificatePoliciesExtension,
  inhibitAnyPolicyExtension,
  policyConstraintsExtension,
  type ExtensionInput,
} from '../x509/extension-parts.ts';
import { ca, end, failures, validate } from '../testing/paths.ts';
import { issue, type TestEntity } from '../testing/authority.ts';
import { OID } from '../oids.ts';
import { oidPart, sequence } from '../der/writer.ts';

let root: TestEntity;
beforeAll(async () => {
  root = await issue({ subject: 'CN=Root' });
});

describe('certificate policies', () => {
  const policies = (...oids: string[]): ExtensionInput => certificatePoliciesExtension(oids.map((oid) => ({ oid })));
  const mapping = (from: string, to: string): ExtensionInput => ({
    oid: OID.policyMappings,
    critical: true,
    part: sequence([sequence([oidPart(from), oidPart(to)])]),
  });
  const path = async (middle: readonly ExtensionInput[], leaf: readonly ExtensionInput[]) => {
    const issuer = await ca('CN=P', root, { extra: middle });
    return [await end(issuer, leaf), issuer, root];
  };

  it('are those common to all certificates', async () => {
    expect(validate(await path([policies('1.2.1', '1.2.2')], [policies('1.2.2', '1.2.3')])).policies).toEqual([
      '1.2.2',
    ]);
    expect(validate(await path([policies(OID.anyPolicy)], [policies('1.2.3')])).policies).toEqual(['1.2.3']);
    expect(validate(await path([], [policies('1.2.3')])).policies).toEqual([]);
  });

  it('must include an accepted policy if one is required', async () => {
    const chain = await path([policies('1.2.1')], [policies('1.2.1')]);
    expect(failures(chain, { acceptedPolicies: ['1.2.1'], requireExplicitPolicy: true })).toEqual([]);
    expect(failures(chain, { acceptedPolicies: ['1.2.2'], requireExplicitPolicy: true })).toEqual(['0:policies']);
    expect(failures(chain, { acceptedPolicies: ['1.2.2'] })).toEqual([]);
    expect(failures(await path([], []), { requireExplicitPolicy: true })).toEqual(['0:policies', '1:policies']);
    const demanding = await path([policies('1.2.1'), policyConstraintsExtension({ requireExplicitPolicy: 0 })], []);
    expect(failures(demanding)).toEqual(['0:policies']);
  });

  it('are mapped between domains unless policy mapping is inhibited', async () => {
    const chain = await path([policies('1.2.1'), mapping('1.2.1', '1.2.9')], [policies('1.2.9')]);
    expect(validate(chain, { requireExplicitPolicy: true }).policies).toEqual(['1.2.1']);
    expect(failures(chain, { requireExplicitPolicy: true, inhibitPolicyMapping: true })).toEqual(['0:policies']);
    expect(failures(await path([policies('1.2.1'), mapping(OID.anyPolicy, '1.2.9')], []))).toEqual(['1:policies']);
  });

  it('are not matched by anyPolicy if anyPolicy is inhibited', async () => {
    const extensions = [policies('1.2.1'), inhibitAnyPolicyExtension(0)];
    expect(validate(await path(extensions, [policies(OID.anyPolicy)])).policies).toEqual([]);
    expect(validate(await path([policies('1.2.1')], [policies(OID.anyPolicy)])).policies).toEqual(['1.2.1']);
  });

  it('do not grow exponentially if mappings are malicious', async () => {
    const all = Array.from({ length: 30 }, (_, index) => `1.2.${index}`);
    const everything: ExtensionInput = {
      oid: OID.policyMappings,
      critical: false,
      part: sequence(all.flatMap((from) => all.map((to) => sequence([oidPart(from), oidPart(to)])))),
    };
    const chain = [root];
    for (let level = 0; level < 12; level++) {
      chain.unshift(await ca(`CN=L${level}`, chain[0] as TestEntity, { extra: [policies(...all), everything] }));
    }
    const started = performance.now();
    expect(validate(chain).isValid).toBe(true);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
