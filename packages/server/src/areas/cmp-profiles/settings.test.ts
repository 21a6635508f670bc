import { newUuid } from '../../kernel/ids.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeRoot } from '../certificates/testing/test-certificates.ts';
import { cmpSettings, initialSettings, problemsOfSettings, type RetainedSettings, type Settings } from './settings.ts';

const NO_SECRET = 'sharedSecret: is required if requests or responses are protected with a shared secret';
const NO_SIGNER = 'signingCertificateUuid: is required if responses are protected by signature';
const NO_UUID = 'signingCertificateUuid: must be the UUID of a certificate';
const NO_WAITING =
  'centralKeys: cannot be combined with requireManualApproval, because generated keys are not stored while a request waits; turn requireManualApproval off';

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
const keptWith = (kept: Partial<RetainedSettings>): RetainedSettings => ({ ...initialSettings, ...kept });
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
    ['the stored secret', withoutSecret, withSecret, []],
    ['no secret', withoutSecret, initialSettings, [NO_SECRET]],
    ['no secret if only responses are signed', { ...signed, requestProtectionMethod: 'sharedSecret' }, initialSettings,
      [NO_SECRET]],
    ['no secret if only requests are signed', { ...withoutSigner, responseProtectionMethod: 'sharedSecret' }, initialSettings,
      [NO_SECRET]],
    ['an empty secret', { ...settings, sharedSecret: '' }, withSecret,
      ['sharedSecret: must not be empty; omit it to keep the current one']],
    ['an empty secret that is not required', { ...signed, sharedSecret: '' }, initialSettings,
      ['sharedSecret: must not be empty; omit it to keep the current one']],
    ['a secret that is one space', { ...settings, sharedSecret: ' ' }, initialSettings, []],
    ['no signing certificate', withoutSigner, initialSettings, [NO_SIGNER]],
    ['an empty signing certificate UUID', { ...signed, signingCertificateUuid: '' }, initialSettings, [NO_SIGNER]],
    ['a signing certificate that is not a UUID', { ...signed, signingCertificateUuid: 'cmp.example' }, initialSettings,
      [NO_UUID]],
    ['a signing certificate that is neither a UUID nor required', { ...settings, signingCertificateUuid: 'x' }, initialSettings, [NO_UUID]],
    ['a UUID in uppercase', { ...signed, signingCertificateUuid: signingCertificateUuid.toUpperCase() },
      initialSettings, []],
  ] as const)('is validated if it uses %s', (_what, given, kept, problems) => {
    expect(problemsOfSettings(given, kept)).toEqual(problems);
  }); // prettier-ignore
});

describe('server-side key generation', () => {
  it.each([
    ['both requested', { centralKeys: true, requireManualApproval: true }, {}, [NO_WAITING]],
    [
      'approval stored, key generation requested',
      { centralKeys: true },
      { require_manual_approval: true },
      [NO_WAITING],
    ],
    [
      'key generation stored, approval requested',
      { requireManualApproval: true },
      { central_keys: true },
      [NO_WAITING],
    ],
    ['approval turned off', { centralKeys: true, requireManualApproval: false }, { require_manual_approval: true }, []],
    ['key generation only', { centralKeys: true }, {}, []],
    ['neither', {}, {}, []],
  ] as const)('cannot be combined with manual approval: %s', (_what, given, kept, problems) => {
    expect(problemsOfSettings({ ...settings, ...given }, keptWith(kept))).toEqual(problems);
  });
});

describe('the MAC iteration limit', () => {
  const PROBLEM = ['maxMacIterations: must be between 1000 and 2000000'];
  it.each([
    [999, PROBLEM],
    [1_000, []],
    [2_000_000, []],
    [2_000_001, PROBLEM],
  ])('of %i results in the problems %j', (maxMacIterations, problems) => {
    expect(problemsOfSettings({ ...settings, maxMacIterations }, initialSettings)).toEqual(problems);
  });
});

describe('the trusted authorities of a CMP profile', () => {
  const FIELDS = ['trustedAuthorities', 'registrationAuthorities'] as const;
  it.each(FIELDS)('must be certificates, and errors state their position in %s', (field) => {
    const given = { ...settings, [field]: [root, '', 'no certificate', root.slice(0, 100)] };
    const problems = problemsOfSettings(given, initialSettings);
    const problem = (at: number) =>
      expect.stringMatching(new RegExp(`^${field}\\[${at}\\]: must be a certificate in Base64-encoded DER: `));
    expect(problems).toEqual([problem(1), problem(2), problem(3)]);
  });

  it('are stored once each, in canonical Base64 and in the specified order', () => {
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

describe('a profile that accepts both protections', () => {
  const both = { acceptBothProtections: true };
  it.each([
    ['with a secret and a signing certificate', { ...settings, signingCertificateUuid }, initialSettings, []],
    ['with a stored secret', { ...signed }, withSecret, []],
    ['without a secret', { ...signed }, initialSettings,
      ['sharedSecret: is required if acceptBothProtections is set']],
    ['without a signing certificate', settings, initialSettings,
      ['signingCertificateUuid: is required if acceptBothProtections is set, because responses to signed requests are signed']],
    ['for base stations', { ...settings, signingCertificateUuid, variant: 'v2_3gpp' }, initialSettings,
      ['acceptBothProtections: cannot be combined with the variant v2_3gpp, because base stations must sign their messages (3GPP TS 33.310 §9)']],
  ] as const)('is validated %s', (_what, given, kept, problems) => {
    expect(problemsOfSettings({ ...given, ...both }, kept)).toEqual(problems);
    expect(problemsOfSettings(given, { ...kept, accept_both_protections: true })).toEqual(problems);
  }); // prettier-ignore
});

describe('the tolerance of the message time', () => {
  const PROBLEM = ['messageTimeTolerance: must be between 0 and 86400'];
  it.each([
    [-1, PROBLEM],
    [0, []],
    [86_400, []],
    [86_401, PROBLEM],
  ])('of %i results in the problems %j', (messageTimeTolerance, problems) => {
    expect(problemsOfSettings({ ...settings, messageTimeTolerance }, initialSettings)).toEqual(problems);
  });
});

describe('a setting that a request can change', () => {
  const kept = keptWith({
    implicit_confirmation: false,
    one_time_secrets: false,
    require_manual_approval: true,
    central_keys: false,
    bind_names: null,
  });
  it('keeps its value if it is omitted, or has its default in a new profile', () => {
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

  it('changes if specified, even to false', () => {
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

  it('is cleared if it is omitted, in the case of the description and the signing certificate', () => {
    expect(cmpSettings.columns(settings, kept)).toMatchObject({ description: null, signing_certificate_uuid: null });
    const empty = { ...settings, description: '', signingCertificateUuid: '' };
    expect(cmpSettings.columns(empty, kept)).toMatchObject({ description: null, signing_certificate_uuid: null });
    const upper = { ...signed, signingCertificateUuid: signingCertificateUuid.toUpperCase() };
    expect(cmpSettings.columns(upper, kept).signing_certificate_uuid).toBe(signingCertificateUuid);
  });

  it('is stored without the plaintext of the shared secret', () => {
    expect(JSON.stringify(cmpSettings.columns(settings, withSecret))).not.toContain('s3cret');
  });
});
