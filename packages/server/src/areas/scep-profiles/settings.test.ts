import { describe, expect, it } from 'vitest';
import { scepSettings, initialSettings, problemsOfSettings, type StoredSettings, type Settings } from './settings.ts';

const settings: Settings = {
  caCertificateUuid: '44444444-0000-7000-8000-00000000000a',
  includeCaCertificate: false,
  includeCaCertificateChain: false,
};
const INTUNE = { intuneTenant: 'contoso.example', intuneApplicationId: '1111-22', intuneApplicationKey: 'key' };
const keptIntune: StoredSettings = {
  ...initialSettings,
  enable_intune: true,
  intune_tenant: 'kept.example',
  intune_application_id: 'kept-id',
  sealed_intune_application_key: 'sealed',
};
const problemsOf = (changes: Partial<Settings>, kept = initialSettings) =>
  problemsOfSettings({ ...settings, ...changes }, kept);

describe('the settings of a SCEP profile', () => {
  it.each<[string, Partial<Settings>]>([
    ['with defaults', {}],
    ['with a threshold of 0 days', { renewalThreshold: 0 }],
    ['with a webhook over HTTP', { challengeWebhookUrl: 'http://challenges.test/a?b' }],
    ['with a webhook over HTTPS', { challengeWebhookUrl: 'https://challenges.test' }],
    ['without a webhook', { challengeWebhookUrl: '' }],
    ['with a UUID in uppercase', { caCertificateUuid: '44444444-0000-7000-8000-00000000000A' }],
    ['with Intune', { enableIntune: true, ...INTUNE }],
    ['with some Intune settings while Intune is disabled', { intuneTenant: 'contoso.example' }],
  ])('are accepted %s', (_what, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  const IDENTIFIER = 'must consist of letters, digits, dots and hyphens only';
  it.each<[Partial<Settings>, string]>([
    [{ caCertificateUuid: '' }, 'caCertificateUuid: must be the identifier of a certificate'],
    [{ caCertificateUuid: 'scep.example' }, 'caCertificateUuid: must be the identifier of a certificate'],
    [{ renewalThreshold: -1 }, 'renewalThreshold: must not be negative'],
    [{ challengeWebhookUrl: 'challenges.test' }, 'challengeWebhookUrl: must be an http or https URL'],
    [{ challengeWebhookUrl: 'ftp://challenges.test' }, 'challengeWebhookUrl: must be an http or https URL'],
    [{ challengeWebhookUrl: 'javascript:alert(1)' }, 'challengeWebhookUrl: must be an http or https URL'],
    [{ challengeWebhookUrl: 'https://' }, 'challengeWebhookUrl: must be an http or https URL'],
    [{ intuneTenant: '../common' }, `intuneTenant: ${IDENTIFIER}`],
    [{ intuneTenant: '.example' }, `intuneTenant: ${IDENTIFIER}`],
    [{ intuneTenant: 'contoso.example\n' }, `intuneTenant: ${IDENTIFIER}`],
    [{ intuneTenant: 'a b' }, `intuneTenant: ${IDENTIFIER}`],
    [{ intuneApplicationId: 'app&client_secret=x' }, `intuneApplicationId: ${IDENTIFIER}`],
  ])('are rejected with %j', (changes, problem) => {
    expect(problemsOf(changes)).toEqual([problem]);
  });

  it('are rejected with all problems in one error', () => {
    const changes = { caCertificateUuid: '', renewalThreshold: -1, challengeWebhookUrl: 'x', intuneTenant: '/' };
    expect(problemsOf({ ...changes, enableIntune: true }).map((each) => each.replace(/:.*/, ''))).toEqual([
      'caCertificateUuid',
      'renewalThreshold',
      'challengeWebhookUrl',
      'intuneTenant',
      'intuneApplicationId',
      'intuneApplicationKey',
    ]);
  });
});

describe('the Intune settings', () => {
  const missing = (field: string) => `${field}: required if Microsoft Intune validates requests (enableIntune)`;
  const fields = ['intuneTenant', 'intuneApplicationId', 'intuneApplicationKey'] as const;

  it.each(fields)('are required in a new profile that uses Intune: %s', (field) => {
    for (const nothing of [undefined, ''])
      expect(problemsOf({ enableIntune: true, ...INTUNE, [field]: nothing })).toEqual([missing(field)]);
  });

  it.each(fields)('are kept if an edit omits them, and cannot be removed: %s', (field) => {
    expect(problemsOf({ [field]: undefined }, keptIntune)).toEqual([]);
    expect(problemsOf({ [field]: '' }, keptIntune)).toEqual([missing(field)]);
    expect(problemsOf({ [field]: '', enableIntune: false }, keptIntune)).toEqual([]);
  });
});

describe('the columns of the settings', () => {
  const kept: StoredSettings = {
    ...keptIntune,
    allow_old_clients: true,
    bind_names: null,
    require_manual_approval: true,
    one_time_challenges: true,
    challenge_webhook_url: 'https://kept.test',
  };

  it('keep values that a request omits', () => {
    const { sealed_intune_application_key: _key, ...rest } = kept;
    expect(scepSettings.columns(settings, kept)).toEqual({
      ...rest,
      ca_certificate_uuid: settings.caCertificateUuid,
      include_ca_certificate: false,
      include_ca_certificate_chain: false,
    });
  });

  it('reset the description and the renewal threshold if a request omits them', () => {
    const before = { ...kept, description: 'phones', renewal_threshold_days: 30 };
    expect(scepSettings.columns(settings, before)).toMatchObject({ description: null, renewal_threshold_days: 0 });
  });

  it('have the values of the request, including false and empty values', () => {
    const given: Settings = {
      ...settings,
      caCertificateUuid: settings.caCertificateUuid.toUpperCase(),
      description: 'phones',
      renewalThreshold: 30,
      includeCaCertificate: true,
      includeCaCertificateChain: true,
      enableIntune: false,
      intuneTenant: '',
      intuneApplicationId: 'new-id',
      allowOldClients: false,
      bindNames: true,
      requireManualApproval: false,
      oneTimeChallenges: false,
      challengeWebhookUrl: '',
    };
    expect(scepSettings.columns(given, kept)).toEqual({
      description: 'phones',
      ca_certificate_uuid: settings.caCertificateUuid,
      renewal_threshold_days: 30,
      include_ca_certificate: true,
      include_ca_certificate_chain: true,
      enable_intune: false,
      intune_tenant: null,
      intune_application_id: 'new-id',
      allow_old_clients: false,
      bind_names: true,
      require_manual_approval: false,
      one_time_challenges: false,
      challenge_webhook_url: null,
    });
  });
});
