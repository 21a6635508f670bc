import type { DnsRecord, DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import {
  CANARY,
  expectRejection,
  LOOPBACK,
  NAME,
  ok,
  SHORT_LIMIT_MS,
  startHttpTarget,
  startValidation,
} from './testing/targets.ts';

const caa = (value: string, tag = 'issue', flags = 0): DnsRecord => ({ type: 'CAA', tag, value, flags });
const OURS = { caaIdentities: ['ca.example', 'other-ca.example'] };
/** Parent domains without records, which the CAA check climbs. */
const PARENTS: DnsZone = { [NAME]: [], 'example.test': [], test: [] };

async function check(zone: DnsZone, options: Parameters<typeof startValidation>[0] = {}) {
  const validation = await startValidation({ zone: { ...PARENTS, ...zone }, rules: OURS, ...options });
  return { ...validation, problem: await validation.checkCaa() };
}

/** Rules of an authority at https://pki.acme-users.org without CAA settings. */
const DEFAULT = { caaIdentities: ['pki.acme-users.org'], isCaaByDefault: true };

async function checkByDefault(zone: DnsZone, options: Parameters<typeof startValidation>[0] = {}) {
  const { checkCaa } = await startValidation({ zone, rules: DEFAULT, ...options });
  return { problem: await checkCaa({ identifier: { type: 'dns', value: 'www.owner.net' } }) };
}

const caaQuestions = (questions: readonly string[]) => questions.filter((question) => question.endsWith(' CAA'));

describe('the CAA check', () => {
  it('climbs to the top-level domain and permits issuance if no name has records (RFC 8659 §3)', async () => {
    const { problem, dns } = await check({});
    expect(problem).toBeUndefined();
    expect(caaQuestions(dns.questions)).toEqual([`${NAME} CAA`, 'example.test CAA', 'test CAA']);
  });

  it('climbs through names that do not exist (RFC 8659 §3)', async () => {
    const { checkCaa } = await startValidation({ zone: { 'example.test': [caa('ca.example')] }, rules: OURS });
    expect(await checkCaa()).toBeUndefined();
    expect(await checkCaa({ identifier: { type: 'dns', value: 'a.b.c.other.test' } })).toBeUndefined();
  });

  it('evaluates only the records of the closest name (RFC 8659 §3)', async () => {
    const { problem, dns } = await check({ 'example.test': [caa('ca.example')], test: [caa('foreign.example')] });
    expect(problem).toBeUndefined();
    expect(caaQuestions(dns.questions)).not.toContain('test CAA');
    const refused = await check({ [NAME]: [caa(';')], 'example.test': [caa('ca.example')] });
    expect(refused.problem).toMatchObject({ type: 'caa' });
  });

  it('reports the name whose records forbid issuance, but not the contents of the records (RFC 8659 §4.2)', async () => {
    const { problem } = await check({ 'example.test': [caa(`${CANARY}.example`)] });
    expect(problem).toEqual({
      type: 'caa',
      detail: `The CAA records of example.test do not permit issuance for ${NAME}: no property authorizes this authority. This authority is identified as ca.example or other-ca.example.`,
    });
  });

  it('evaluates the records of the base name for a wildcard (RFC 8659 §4.3)', async () => {
    const { checkCaa } = await check({ [NAME]: [caa('ca.example'), caa(';', 'issuewild')] });
    expect(await checkCaa()).toBeUndefined();
    expect(await checkCaa({ identifier: { type: 'dns', value: `*.${NAME}` } })).toMatchObject({ type: 'caa' });
  });

  it.each([true, false])('follows aliases; resolver follows them: %s (RFC 8659 §3)', async (chases) => {
    const zone = { [NAME]: [{ type: 'CNAME', target: 'alias.test' }], 'alias.test': [caa(';')] } satisfies DnsZone;
    expect((await check(zone, { chases })).problem).toMatchObject({ type: 'caa' });
  });

  it('climbs from the original name if its alias has no records (RFC 8659 §3)', async () => {
    const zone = {
      [NAME]: [{ type: 'CNAME', target: 'alias.other' }],
      'alias.other': [],
      other: [caa(';')],
    } satisfies DnsZone;
    expect((await check(zone, { chases: false })).problem).toBeUndefined();
  });

  it.each(['servfail', 'refused', 'silent', 'truncated'] as const)(
    'fails if the records cannot be determined: %s (RFC 8659 §3)',
    async (fault) => {
      const { problem } = await check({ 'example.test CAA': fault }, { limitMs: SHORT_LIMIT_MS });
      expect(problem).toMatchObject({
        type: 'dns',
        detail: expect.stringContaining('Cannot look up the CAA records of example.test'),
      });
    },
  );

  it('checks the account and the challenge type (RFC 8657 §3, §4)', async () => {
    const { checkCaa } = await check({
      [NAME]: [caa('ca.example; accounturi=https://acme.example.test/acct/1; validationmethods=dns-01')],
    });
    expect(await checkCaa({ type: 'dns-01' })).toBeUndefined();
    expect(await checkCaa({ type: 'http-01' })).toMatchObject({ type: 'caa' });
    expect(await checkCaa({ type: 'dns-01', accountUrls: ['https://acme.example.test/account/2'] })).toMatchObject({
      type: 'caa',
    });
  });

  it('sends no queries for IP addresses, or if there are no CAA identities (RFC 8659 §1)', async () => {
    const { problem, dns } = await check({ [NAME]: [caa(';')] }, { rules: { caaIdentities: [] } });
    expect(problem).toBeUndefined();
    expect(dns.questions).toEqual([]);
    const strict = await check({});
    const before = strict.dns.questions.length;
    expect(await strict.checkCaa({ identifier: { type: 'ip', value: '192.0.2.1' } })).toBeUndefined();
    expect(strict.dns.questions).toHaveLength(before);
  });

  it('by default rejects public names whose records authorize only other authorities, and explains how to disable the check', async () => {
    const { problem } = await checkByDefault({ 'www.owner.net': [caa('other.example')] });
    const detail: unknown = expect.stringMatching(
      /This authority is identified as pki\.acme-users\.org\. .* disable the check in the ACME profile \("caaIdentities": \[\]\)\.$/,
    );
    expect(problem).toMatchObject({ type: 'caa', detail });
    expect((await checkByDefault({ 'owner.net': [caa('pki.acme-users.org')] })).problem).toBeUndefined();
  });

  it('by default permits issuance within seconds if the lookup fails', async () => {
    expect((await checkByDefault({ 'www.owner.net CAA': 'servfail' })).problem).toBeUndefined();
    expect((await checkByDefault({ 'www.owner.net CAA': 'silent' }, { limitMs: 6_000 })).problem).toBeUndefined();
  });

  it("by default skips internal names without a lookup, and skips the authority's own domain", async () => {
    const internal = await check({ [NAME]: [caa(';')] }, { rules: DEFAULT });
    expect([internal.problem, internal.dns.questions]).toEqual([undefined, []]);
    const identifier = { type: 'dns', value: 'www.corp.acme-users.org' } as const;
    const zone = { 'acme-users.org': [caa('other.example')] };
    const { checkCaa } = await startValidation({ zone, rules: DEFAULT });
    expect(await checkCaa({ identifier })).toBeUndefined();
    const below = await startValidation({ zone: { ...zone, 'corp.acme-users.org': [caa(';')] }, rules: DEFAULT });
    expect(await below.checkCaa({ identifier })).toMatchObject({ type: 'caa' });
  });

  it('is part of every validation (RFC 8659 §3)', async () => {
    const target = await startHttpTarget(() => ok());
    const rules = { ...OURS, http01Port: target.port };
    const zone = { ...PARENTS, ...LOOPBACK };
    const permitted = await startValidation({ zone: { ...zone, 'example.test': [caa('ca.example')] }, rules });
    expect(await permitted.validate()).toEqual({ ok: true });
    const forbidden = await startValidation({ zone: { ...zone, 'example.test': [caa(';')] }, rules });
    expectRejection(await forbidden.validate(), { type: 'caa', mayChange: false });
    const unknown = await startValidation({ zone: { ...zone, 'example.test CAA': 'servfail' }, rules });
    expectRejection(await unknown.validate(), { type: 'dns', mayChange: true });
  });

  it.each([
    ['critical', 0],
    ['type', 0x80],
  ])('forbids issuance for an unknown critical property named %s (RFC 8659 §4.1)', async (tag, flags) => {
    const { problem } = await check({ [NAME]: [caa('ca.example'), caa(CANARY, tag, flags)] });
    expect(problem).toMatchObject({ type: 'caa', detail: expect.stringContaining('critical property') });
  });
});
