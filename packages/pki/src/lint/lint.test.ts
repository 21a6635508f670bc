import { describe, expect, it } from 'vitest';
import { ALTERNATIVE_NAMES_EXAMPLES } from './examples/alternative-names.ts';
import { AUTHORITIES_EXAMPLES } from './examples/authorities.ts';
import { BASELINE_EXAMPLES } from './examples/baseline.ts';
import { BASIC_FIELDS_EXAMPLES } from './examples/basic-fields.ts';
import { CERTIFICATES } from './certificate-rule.ts';
import { EXTENSIONS_EXAMPLES } from './examples/extensions.ts';
import { judge, type Verdict } from './rule.ts';
import { KEY_IDENTIFIERS_EXAMPLES } from './examples/key-identifiers.ts';
import { KEY_USAGE_EXAMPLES } from './examples/key-usage.ts';
import { LINT_RULES, lintTbsCertificate, type LintRule } from './lint.ts';
import { LOCATIONS_EXAMPLES } from './examples/locations.ts';
import { NAMES_EXAMPLES } from './examples/names.ts';
import { POLICIES_EXAMPLES } from './examples/policies.ts';
import { PUBLIC_KEY_EXAMPLES } from './examples/public-key.ts';
import {
  authority,
  certificateOf,
  ISSUER_CERTIFICATE,
  publicServer,
  responder,
  root,
  SAMPLE_FROM_MS,
  server,
  type RuleExamples,
  type Sample,
} from './examples/sample.ts';
import { integerPart, nullPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { rawExtension } from './examples/sample.ts';
import { testKeys } from '../testing/authority.ts';

const EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  ...BASIC_FIELDS_EXAMPLES,
  ...PUBLIC_KEY_EXAMPLES,
  ...NAMES_EXAMPLES,
  ...ALTERNATIVE_NAMES_EXAMPLES,
  ...EXTENSIONS_EXAMPLES,
  ...AUTHORITIES_EXAMPLES,
  ...KEY_USAGE_EXAMPLES,
  ...KEY_IDENTIFIERS_EXAMPLES,
  ...POLICIES_EXAMPLES,
  ...LOCATIONS_EXAMPLES,
  ...BASELINE_EXAMPLES,
};

function verdict(rule: LintRule, sample: Sample): Verdict {
  const subject = { certificate: certificateOf(sample), issuer: sample.issuer };
  return judge(rule, subject, { kind: CERTIFICATES, parameters: sample.parameters });
}

const found = ({ tbs }: Sample, options?: Parameters<typeof lintTbsCertificate>[1]): string[] =>
  lintTbsCertificate(tbs, options).map(({ rule }) => rule);

describe('each rule judges its examples as stated', () => {
  it.each(LINT_RULES)('$id', (rule) => {
    const { passes, fails, isOutOfScope } = EXAMPLES[rule.id] ?? expect.unreachable('the compiler demands examples');
    expect(verdict(rule, passes)).toEqual({ status: 'ok' });
    expect(verdict(rule, fails)).toEqual({ status: 'notOk', message: expect.stringMatching(/^[A-Z"].*\.$/) });
    if (isOutOfScope !== undefined) expect(verdict(rule, isOutOfScope)).toEqual({ status: 'notApplicable' });
  });
});

describe('rules', () => {
  it('have unique identifiers, a sentence and a clause', () => {
    expect(new Set(LINT_RULES.map(({ id }) => id)).size).toBe(LINT_RULES.length);
    for (const { id, demand, citation } of LINT_RULES) {
      expect([id, demand]).toEqual([expect.stringMatching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), expect.stringMatching(/\.$/)]);
      expect([id, citation]).toEqual([id, expect.stringMatching(/(?:§|appendix |NIST SP )/)]);
    }
  });

  it('that apply to some certificates only have an example of another one', () => {
    const isScoped = ({ appliesTo, effective }: LintRule): boolean =>
      appliesTo !== undefined || effective !== undefined;
    const scoped = LINT_RULES.filter(isScoped).map(({ id }) => id);
    expect(scoped.filter((id) => EXAMPLES[id]?.isOutOfScope === undefined)).toEqual([]);
  });

  it('can be left out by identifier, and take other values for their parameters', () => {
    const short = server({ serial: integerPart(1) });
    expect(found(short)).toEqual(['serial-entropy']);
    expect(found(short, { except: ['serial-entropy'] })).toEqual([]);
    expect(found(short, { parameters: { 'serial-entropy': { minOctets: 1 } } })).toEqual([]);
    expect(found(server(), { parameters: { 'key-policy': { families: ['RSA'] } } })).toEqual(['key-policy']);
  });

  it('that cannot judge malformed octets report it, and lint reports the octets once', () => {
    const malformed = server({ extensions: [rawExtension(OID.keyUsage, nullPart(), true)] });
    const usage = LINT_RULES.find(({ id }) => id === 'key-usage-not-empty') ?? expect.unreachable('it is a rule');
    expect(verdict(usage, malformed).status).toBe('error');
    expect(found(malformed)).toEqual(['extension-malformed']);
  });
});

describe('valid certificates', () => {
  it.each(Object.entries({ server, publicServer, authority, root, responder }))('%s: no findings', (_, sample) => {
    expect(found(sample(), { issuer: ISSUER_CERTIFICATE })).toEqual([]);
  });

  it('may have no expiration date, and keys of other types', async () => {
    expect(found(server({ validity: [SAMPLE_FROM_MS, Date.UTC(9999, 11, 31, 23, 59, 59)] }))).toEqual([]);
    for (const spec of ['ML-DSA-65', 'Ed25519', 'RSA-2048'] as const)
      expect(found(server({ spki: (await testKeys(spec)).spki }))).toEqual([]);
  });
});
