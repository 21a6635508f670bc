import { newUuid } from '../../kernel/ids.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRoot } from '../certificates/testing/test-certificates.ts';
import { cmpSettings, initialSettings, problemsOfSettings, type KeptSettings, type Settings } from './settings.ts';

const NO_SECRET = 'sharedSecret: is needed where requests or responses are protected with a shared secret';
const NO_SIGNER = 'signingCertificateUuid: is needed where responses are protected by signature';
const NO_UUID = 'signingCertificateUuid: must be the identifier of a certificate';
const NO_WAITING = 'centralKeys: keys are not kept, so that no request can wait; turn requireManualApproval off';

const signingCertificateUuid = newUuid();
const settings: Settings = {
  variant: 'v2',
  requestProtectionMethod: 'sharedSecret',
  responseProtectionMethod: 'sharedSecret',
  sharedSecret: 's3cret',
};
const signed: Settings = {
  variant: 'v2',
  requestProtectionMethod: 'signature',
  responseProtectionMethod: 'signature',
  signingCertificateUuid,
};
const keptWith = (kept: Partial<KeptSettings>): KeptSettings => ({ ...initialSettings, ...kept });
const withSecret = keptWith({ sealed_shared_secret: 'c2VhbGVk' });

let root: string;
let other: string;

beforeAll(async () => {
  [root, other] = [(await makeRoot('Root')).base64, (await makeRoot('Other')).base64];
});

describe('the protection of a CMP profile', () => {
  const { sharedSecret: _secret, ...withoutSecret } = settings;
  const { signingCertificateUuid: _uuid, ...withoutSigner } = signed;
  it.each([
    ['a secret for both', settings, initialSettings, []],
    ['signatures for both', signed, initialSettings, []],
    ['the secret that is kept', withoutSecret, withSecret, []],
    ['no secret', withoutSecret, initialSettings, [NO_SECRET]],
    ['no secret for signed answers', { ...signed, requestProtectionMethod: 'sharedSecret' }, initialSettings,
      [NO_SECRET]],
    ['no secret for the answers alone', { ...withoutSigner, responseProtectionMethod: 'sharedSecret' }, initialSettings,
      [NO_SECRET]],
    ['an empty secret', { ...settings, sharedSecret: '' }, withSecret,
      ['sharedSecret: must not be empty; leave it out to keep the present one']],
    ['an empty secret that nobody needs', { ...signed, sharedSecret: '' }, initialSettings,
      ['sharedSecret: must not be empty; leave it out to keep the present one']],
    ['a secret of one blank', { ...settings, sharedSecret: ' ' }, initialSettings, []],
    ['no certificate that signs', withoutSigner, initialSettings, [NO_SIGNER]],
    ['an empty certificate that signs', { ...signed, signingCertificateUuid: '' }, initialSettings, [NO_SIGNER]],
    ['no identifier of a certificate', { ...signed, signingCertificateUuid: 'cmp.example' }, initialSettings,
      [NO_UUID]],
    ['no identifier, which nobody needs', { ...settings, signingCertificateUuid: 'x' }, initialSettings, [NO_UUID]],
    ['an identifier in upper case', { ...signed, signingCertificateUuid: signingCertificateUuid.toUpperCase() },
      initialSettings, []],
  ] as const)('with %s', (_what, given, kept, problems) => {
    expect(problemsOfSettings(given, kept)).toEqual(problems);
  }); // prettier-ignore
});

describe('keys that are made here', () => {
  it.each([
    ['given', { centralKeys: true, requireManualApproval: true }, {}, [NO_WAITING]],
    ['one kept, the other given', { centralKeys: true }, { require_manual_approval: true }, [NO_WAITING]],
    ['the other kept, the one given', { requireManualApproval: true }, { central_keys: true }, [NO_WAITING]],
    ['one turned off', { centralKeys: true, requireManualApproval: false }, { require_manual_approval: true }, []],
    ['one alone', { centralKeys: true }, {}, []],
    ['neither', {}, {}, []],
  ] as const)('never go with requests that wait: %s', (_what, given, kept, problems) => {
    expect(problemsOfSettings({ ...settings, ...given }, keptWith(kept))).toEqual(problems);
  });
});

describe('the most iterations of a MAC', () => {
  const PROBLEM = ['maxMacIterations: must be from 1000 to 2000000'];
  it.each([
    [999, PROBLEM],
    [1_000, []],
    [2_000_000, []],
    [2_000_001, PROBLEM],
  ])('of a profile may be %i: %j', (maxMacIterations, problems) => {
    expect(problemsOfSettings({ ...settings, maxMacIterations }, initialSettings)).toEqual(problems);
  });
});

describe('the authorities that a CMP profile trusts', () => {
  const FIELDS = ['trustedAuthorities', 'registrationAuthorities'] as const;
  it.each(FIELDS)('are certificates, each named by its place in %s', (field) => {
    const given = { ...settings, [field]: [root, '', 'no certificate', root.slice(0, 100)] };
    const problems = problemsOfSettings(given, initialSettings);
    const problem = (at: number) =>
      expect.stringMatching(new RegExp(`^${field}\\[${at}\\]: must be a certificate, as Base64 of its DER: `));
    expect(problems).toEqual([problem(1), problem(2), problem(3)]);
  });

  it('are kept once, in one form of Base64, in the order given', () => {
    const urlSafe = root.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    const given = { ...settings, trustedAuthorities: [other, urlSafe, root, other], registrationAuthorities: [] };
    const kept = keptWith({ trusted_authorities: [root], registration_authorities: [root] });
    expect(cmpSettings.columns(given, kept)).toMatchObject({
      trusted_authorities: [other, root],
      registration_authorities: [],
    });
    expect(cmpSettings.columns(settings, kept)).toMatchObject({
      trusted_authorities: [root],
      registration_authorities: [root],
    });
  });
});

describe('what a request leaves out', () => {
  const kept = keptWith({
    implicit_confirmation: false,
    one_time_secrets: false,
    require_manual_approval: true,
    central_keys: false,
    bind_names: null,
  });
  it('stays as it was, or is the default in a new profile', () => {
    expect(cmpSettings.columns(settings, kept)).toMatchObject({
      implicit_confirmation: false,
      one_time_secrets: false,
      require_manual_approval: true,
      central_keys: false,
      bind_names: null,
    });
    expect(cmpSettings.columns(settings, initialSettings)).toMatchObject({
      implicit_confirmation: true,
      one_time_secrets: true,
      require_manual_approval: false,
      central_keys: false,
      bind_names: true,
    });
  });

  it('changes where it is said, also to false', () => {
    const given = { ...settings, implicitConfirmation: true, oneTimeSecrets: true, requireManualApproval: false };
    expect(cmpSettings.columns(given, kept)).toMatchObject({
      implicit_confirmation: true,
      one_time_secrets: true,
      require_manual_approval: false,
    });
    expect(
      cmpSettings.columns({ ...settings, implicitConfirmation: false }, initialSettings).implicit_confirmation,
    ).toBe(false);
  });

  it('is gone where it has no value to keep: the description and the certificate that signs', () => {
    expect(cmpSettings.columns(settings, kept)).toMatchObject({ description: null, signing_certificate_uuid: null });
    const empty = { ...settings, description: '', signingCertificateUuid: '' };
    expect(cmpSettings.columns(empty, kept)).toMatchObject({ description: null, signing_certificate_uuid: null });
    const upper = { ...signed, signingCertificateUuid: signingCertificateUuid.toUpperCase() };
    expect(cmpSettings.columns(upper, kept).signing_certificate_uuid).toBe(signingCertificateUuid);
  });

  it('never has the shared secret in plain text', () => {
    expect(JSON.stringify(cmpSettings.columns(settings, withSecret))).not.toContain('s3cret');
  });
});
