// Settings of SCEP profiles: validation and columns. No I/O.
import type { ScepProfileEditRequestDto, ScepProfileRequestDto } from '@signetry/contract';
import { isUuid } from '../../kernel/ids.ts';
import { bindNames, description, optionalText, settingsOf } from '../protocol-profiles/index.ts';

/** Settings that can be specified both for a new profile and in an edit. */
export type Settings = Omit<ScepProfileRequestDto, 'name' | 'issueCertificateAttributes'> &
  Partial<ScepProfileEditRequestDto>;

export const scepSettings = settingsOf<Settings>()({
  description,
  caCertificateUuid: {
    column: 'ca_certificate_uuid',
    store: (uuid: string): string => uuid.toLowerCase(),
    present: false,
  },
  /**
   * Days before expiry; 0 means the second half of the validity period. In responses, this setting is called
   * `renewThreshold`.
   */
  renewalThreshold: { column: 'renewal_threshold_days', initial: 0, omitted: 'reset', present: false },
  includeCaCertificate: { column: 'include_ca_certificate' },
  includeCaCertificateChain: { column: 'include_ca_certificate_chain' },
  enableIntune: { column: 'enable_intune', initial: false },
  intuneTenant: optionalText('intune_tenant'),
  intuneApplicationId: optionalText('intune_application_id'),
  allowOldClients: { column: 'allow_old_clients', initial: false },
  bindNames,
  requireManualApproval: { column: 'require_manual_approval', initial: false },
  oneTimeChallenges: { column: 'one_time_challenges', initial: false },
  challengeWebhookUrl: optionalText('challenge_webhook_url'),
});

/** Columns that a request may omit. */
export type StoredSettings = typeof scepSettings.initial & { readonly sealed_intune_application_key: string | null };

export const initialSettings: StoredSettings = { ...scepSettings.initial, sealed_intune_application_key: null };

export function problemsOfSettings(settings: Settings, kept: StoredSettings): string[] {
  const problems: string[] = [];
  if (!isUuid(settings.caCertificateUuid)) problems.push('caCertificateUuid: must be the identifier of a certificate');
  if ((settings.renewalThreshold ?? 0) < 0) problems.push('renewalThreshold: must not be negative');
  if (settings.challengeWebhookUrl && !isWebUrl(settings.challengeWebhookUrl))
    problems.push('challengeWebhookUrl: must be an http or https URL');
  return [...problems, ...problemsOfIntune(settings, kept)];
}

/**
 * Both values become part of URLs and forms. The tenant can be an identifier or a domain name; the application must be
 * an identifier.
 */
const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9.-]*$/;

function problemsOfIntune(settings: Settings, kept: StoredSettings): string[] {
  const { intuneTenant, intuneApplicationId, intuneApplicationKey } = settings;
  const problems = Object.entries({ intuneTenant, intuneApplicationId })
    .filter(([, text]) => text && !IDENTIFIER.test(text))
    .map(([field]) => `${field}: must consist of letters, digits, dots and hyphens only`);
  if (!(settings.enableIntune ?? kept.enable_intune)) return problems;
  const needed = {
    intuneTenant: intuneTenant ?? kept.intune_tenant,
    intuneApplicationId: intuneApplicationId ?? kept.intune_application_id,
    intuneApplicationKey: intuneApplicationKey ?? kept.sealed_intune_application_key,
  };
  const missing = Object.entries(needed).filter(([, text]) => !text);
  return [
    ...problems,
    ...missing.map(([field]) => `${field}: required if Microsoft Intune validates requests (enableIntune)`),
  ];
}

const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
