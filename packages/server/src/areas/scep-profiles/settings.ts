// Settings of SCEP profiles: which are refused, and their columns. No I/O.
import type { ScepProfileEditRequestDto, ScepProfileRequestDto } from '@signetry/contract';
import { isUuid } from '../../kernel/ids.ts';
import type { ScepProfileRow } from './tables.ts';

/** What a new profile and an edit have in common. */
export type Settings = Omit<ScepProfileRequestDto, 'name' | 'issueCertificateAttributes'> &
  Partial<ScepProfileEditRequestDto>;

/** What is kept where a request leaves it out. */
export type KeptSettings = Pick<
  ScepProfileRow,
  | 'enable_intune'
  | 'intune_tenant'
  | 'intune_application_id'
  | 'sealed_intune_application_key'
  | 'allow_old_clients'
  | 'bind_names'
  | 'require_manual_approval'
  | 'one_time_challenges'
  | 'challenge_webhook_url'
>;

export const initialSettings: KeptSettings = {
  enable_intune: false,
  intune_tenant: null,
  intune_application_id: null,
  sealed_intune_application_key: null,
  allow_old_clients: false,
  bind_names: true,
  require_manual_approval: false,
  one_time_challenges: false,
  challenge_webhook_url: null,
};

export function problemsOfSettings(settings: Settings, kept: KeptSettings): string[] {
  const problems: string[] = [];
  if (!isUuid(settings.caCertificateUuid)) problems.push('caCertificateUuid: must be the identifier of a certificate');
  if ((settings.renewalThreshold ?? 0) < 0) problems.push('renewalThreshold: must not be negative');
  if (settings.challengeWebhookUrl && !isWebUrl(settings.challengeWebhookUrl))
    problems.push('challengeWebhookUrl: must be an http or https URL');
  return [...problems, ...problemsOfIntune(settings, kept)];
}

/** Both are parts of addresses and forms: the tenant by identifier or domain name, the application by identifier. */
const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9.-]*$/;

function problemsOfIntune(settings: Settings, kept: KeptSettings): string[] {
  const { intuneTenant, intuneApplicationId, intuneApplicationKey } = settings;
  const problems = Object.entries({ intuneTenant, intuneApplicationId })
    .filter(([, text]) => text && !IDENTIFIER.test(text))
    .map(([field]) => `${field}: must be of letters, digits, dots and hyphens only`);
  if (!(settings.enableIntune ?? kept.enable_intune)) return problems;
  const needed = {
    intuneTenant: intuneTenant ?? kept.intune_tenant,
    intuneApplicationId: intuneApplicationId ?? kept.intune_application_id,
    intuneApplicationKey: intuneApplicationKey ?? kept.sealed_intune_application_key,
  };
  const missing = Object.entries(needed).filter(([, text]) => !text);
  return [
    ...problems,
    ...missing.map(([field]) => `${field}: is needed where Microsoft Intune validates requests (enableIntune)`),
  ];
}

const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

/** Columns of the settings, without the secrets. */
export const columnsOf = (settings: Settings, kept: Omit<KeptSettings, 'sealed_intune_application_key'>) => ({
  description: settings.description || null,
  ca_certificate_uuid: settings.caCertificateUuid.toLowerCase(),
  renewal_threshold_days: settings.renewalThreshold ?? 0,
  include_ca_certificate: settings.includeCaCertificate,
  include_ca_certificate_chain: settings.includeCaCertificateChain,
  enable_intune: settings.enableIntune ?? kept.enable_intune,
  intune_tenant: textOr(settings.intuneTenant, kept.intune_tenant),
  intune_application_id: textOr(settings.intuneApplicationId, kept.intune_application_id),
  allow_old_clients: settings.allowOldClients ?? kept.allow_old_clients,
  bind_names: settings.bindNames ?? kept.bind_names,
  require_manual_approval: settings.requireManualApproval ?? kept.require_manual_approval,
  one_time_challenges: settings.oneTimeChallenges ?? kept.one_time_challenges,
  challenge_webhook_url: textOr(settings.challengeWebhookUrl, kept.challenge_webhook_url),
});

/** An empty text takes away what was there. */
const textOr = (given: string | undefined, kept: string | null): string | null =>
  given === undefined ? kept : given || null;
