import { describe, expect, it } from 'vitest';
import { ALGORITHM_STRENGTH_EXAMPLES } from './testing/algorithm-strength.ts';
import { ALTERNATIVE_NAMES_EXAMPLES } from './testing/alternative-names.ts';
import { APPLE_EXAMPLES, CHROME_EXAMPLES, MOZILLA_EXAMPLES } from './testing/root-programs.ts';
import { AUTHORITIES_EXAMPLES } from './testing/authorities.ts';
import {
  BASELINE_AUTHORITIES_EXAMPLES,
  BASELINE_PROFILE_EXAMPLES,
  BASELINE_SUBJECTS_EXAMPLES,
} from './testing/tls-baseline.ts';
import { BASELINE_EXAMPLES } from './testing/baseline.ts';
import { BASIC_FIELDS_EXAMPLES } from './testing/basic-fields.ts';
import { CERTIFICATE_RULES, CERTIFICATE_SETS, KEY_RULES, KEY_SETS, REQUEST_RULES, REQUEST_SETS } from './rule-sets.ts';
import { CERTIFICATES, LintSubject } from './certificate-rule.ts';
import { ENCODING_EXAMPLES } from './testing/encoding.ts';
import { EXTENDED_VALIDATION_EXAMPLES } from './testing/extended-validation.ts';
import { EXTENSIONS_EXAMPLES } from './testing/extensions.ts';
import { evaluate, situationOf, type ListedRule, type RuleResult } from './evaluate.ts';
import { KEY_EXAMPLES, type KeyExamples } from './testing/token-keys.ts';
import { KEY_IDENTIFIERS_EXAMPLES } from './testing/key-identifiers.ts';
import { KEY_USAGE_EXAMPLES } from './testing/key-usage.ts';
import { KEYS } from './key-rule.ts';
import { lintTbsCertificate } from './lint.ts';
import { LOCATIONS_EXAMPLES } from './testing/locations.ts';
import { NAMES_EXAMPLES } from './testing/names.ts';
import { POLICIES_EXAMPLES } from './testing/policies.ts';
import { POST_QUANTUM_EXAMPLES } from './testing/post-quantum.ts';
import { PUBLIC_KEYS_EXAMPLES } from './testing/public-keys.ts';
import { QUALIFIED_EXAMPLES } from './testing/qualified.ts';
import { REQUEST_EXAMPLES, type RequestExamples } from './testing/requests.ts';
import { REQUESTS, RequestSubject } from './request-rule.ts';
import { SMIME_BASELINE_EXAMPLES } from './testing/smime-baseline.ts';
import {
  authority,
  certificateOf,
  ISSUER_CERTIFICATE,
  rawExtension,
  responder,
  root,
  SAMPLE_FROM_MS,
  server,
  type RuleExamples,
  type Sample,
} from './testing/sample.ts';
import { integerPart, nullPart } from '../der/writer.ts';
import { OID } from '../oids.ts';
import { testKeys } from '../testing/authority.ts';

const EXAMPLES: Readonly<Record<string, RuleExamples>> = {
  ...BASIC_FIELDS_EXAMPLES,
  ...ENCODING_EXAMPLES,
  ...PUBLIC_KEYS_EXAMPLES,
  ...NAMES_EXAMPLES,
  ...ALTERNATIVE_NAMES_EXAMPLES,
  ...EXTENSIONS_EXAMPLES,
  ...AUTHORITIES_EXAMPLES,
  ...KEY_USAGE_EXAMPLES,
  ...KEY_IDENTIFIERS_EXAMPLES,
  ...POLICIES_EXAMPLES,
  ...LOCATIONS_EXAMPLES,
  ...BASELINE_EXAMPLES,
  ...BASELINE_PROFILE_EXAMPLES,
  ...BASELINE_SUBJECTS_EXAMPLES,
  ...BASELINE_AUTHORITIES_EXAMPLES,
  ...EXTENDED_VALIDATION_EXAMPLES,
  ...SMIME_BASELINE_EXAMPLES,
  ...APPLE_EXAMPLES,
  ...MOZILLA_EXAMPLES,
  ...CHROME_EXAMPLES,
  ...ALGORITHM_STRENGTH_EXAMPLES,
  ...POST_QUANTUM_EXAMPLES,
  ...QUALIFIED_EXAMPLES,
};

function verdict(rule: ListedRule<LintSubject>, sample: Sample): RuleResult {
  const subject = new LintSubject(certificateOf(sample), sample.issuer);
  return evaluate(rule, subject, { situation: situationOf(subject, CERTIFICATES), parameters: sample.parameters });
}

const findRules = ({ tbs }: Sample, options?: Parameters<typeof lintTbsCertificate>[1]): string[] =>
  lintTbsCertificate(tbs, options).map(({ rule }) => rule);

describe('each rule returns the expected verdict for its examples', () => {
  it.each(CERTIFICATE_RULES)('$id', (rule) => {
    const { passes, fails, isOutOfScope } = EXAMPLES[rule.id] ?? expect.unreachable('the compiler requires examples');
    expect(verdict(rule, passes)).toEqual({ status: 'ok' });
    expect(verdict(rule, fails)).toMatchObject({ status: 'notOk' });
    if (isOutOfScope !== undefined) expect(verdict(rule, isOutOfScope)).toEqual({ status: 'notApplicable' });
  });

  it.each(REQUEST_RULES)('$id', (rule) => {
    const examples = (REQUEST_EXAMPLES as Readonly<Record<string, RequestExamples>>)[rule.id];
    const statusOf = (which: 'passes' | 'fails'): RuleResult['status'] => {
      const subject = new RequestSubject((examples ?? expect.unreachable())[which]);
      return evaluate(rule, subject, { situation: situationOf(subject, REQUESTS) }).status;
    };
    expect([statusOf('passes'), statusOf('fails')]).toEqual(['ok', 'notOk']);
  });

  it.each(KEY_RULES)('$id', (rule) => {
    const examples = (KEY_EXAMPLES as Readonly<Record<string, KeyExamples>>)[rule.id] ?? expect.unreachable();
    const statusOf = (which: 'passes' | 'fails'): RuleResult['status'] =>
      evaluate(rule, examples[which], { situation: situationOf(examples[which], KEYS) }).status;
    expect([statusOf('passes'), statusOf('fails')]).toEqual(['ok', 'notOk']);
  });
});

const ALL = [...CERTIFICATE_RULES, ...REQUEST_RULES, ...KEY_RULES];

describe('lint rules', () => {
  it('have a unique ID, a description in one sentence, a remedy and a citation', () => {
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
    for (const { id, demand, remedy, citation } of ALL) {
      expect([id, demand, remedy]).toEqual([
        expect.stringMatching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
        expect.stringMatching(/^[A-Z].*\.$/),
        expect.stringMatching(/^[A-Z].*\.$/),
      ]);
      expect([id, citation]).toEqual([
        id,
        expect.stringMatching(/§|appendix |NIST SP |ISO |Apple HT\d|Chrome .*Policy/),
      ]);
    }
  });

  it('number more than two hundred, in sets that have distinct codes', () => {
    expect(ALL.length).toBeGreaterThan(200);
    const sets = [...CERTIFICATE_SETS, ...REQUEST_SETS, ...KEY_SETS];
    expect(new Set(sets.map(({ code }) => code)).size).toBe(sets.length);
    for (const { code } of sets) expect(ALL.filter(({ set }) => set === code).length).toBeGreaterThan(0);
  });

  it('that apply only to some certificates have an out-of-scope example', () => {
    const scoped = CERTIFICATE_RULES.filter(
      ({ roleBits, fromMs, untilMs }) => roleBits !== 0 || fromMs > -Infinity || untilMs < Infinity,
    ).map(({ id }) => id);
    expect(scoped.length).toBeGreaterThan(100);
    expect(scoped.filter((id) => EXAMPLES[id]?.isOutOfScope === undefined)).toEqual([]);
  });

  it('can be excluded by ID, and accept other parameter values', () => {
    const short = server({ serial: integerPart(1) });
    expect(findRules(short)).toEqual(['serial-entropy']);
    expect(findRules(short, { onlyErrors: true })).toEqual([]);
    expect(findRules(short, { except: ['serial-entropy'] })).toEqual([]);
    expect(findRules(short, { parameters: { 'serial-entropy': { minOctets: 1 } } })).toEqual([]);
    expect(findRules(server(), { parameters: { 'key-policy': { families: ['RSA'] } } })).toEqual(['key-policy']);
  });

  it('report an error for malformed bytes, which lint reports only once', () => {
    const malformed = server({ extensions: [rawExtension(OID.keyUsage, nullPart(), true)] });
    const usage = CERTIFICATE_RULES.find(({ id }) => id === 'key-usage-not-empty') ?? expect.unreachable();
    expect(verdict(usage, malformed).status).toBe('error');
    expect(findRules(malformed)).toEqual(['extension-malformed']);
  });

  it('report the field, its value and the remedy', () => {
    const [finding] = lintTbsCertificate(server({ serial: integerPart(-5) }).tbs);
    expect(finding).toMatchObject({
      rule: 'serial-positive',
      set: 'x509-profile',
      severity: 'error',
      field: 'serialNumber',
      value: '-5',
      message: 'The serial number must be a positive integer.',
      remedy: 'Issue the certificate with a serial number greater than zero.',
    });
  });
});

describe('valid certificates', () => {
  it.each(Object.entries({ server, authority, root, responder }))('%s: no findings', (_, sample) => {
    expect(findRules(sample(), { issuer: ISSUER_CERTIFICATE })).toEqual([]);
  });

  it('can have no expiry date, and can use other key types', async () => {
    expect(findRules(server({ validity: [SAMPLE_FROM_MS, Date.UTC(9999, 11, 31, 23, 59, 59)] }))).toEqual([]);
    for (const spec of ['ML-DSA-65', 'Ed25519', 'RSA-2048'] as const)
      expect(findRules(server({ spki: (await testKeys(spec)).spki }))).toEqual([]);
  });
});
