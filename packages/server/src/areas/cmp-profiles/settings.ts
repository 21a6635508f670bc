// Settings of CMP profiles: which are refused, and their columns. No I/O.
import type { CmpProfileRequestDto } from '@signetry/contract';
import { isPkiError, parseCertificate } from '@signetry/pki';
import { isUuid } from '../../kernel/ids.ts';
import type { CmpProfileRow } from './tables.ts';

export type Settings = Omit<CmpProfileRequestDto, 'name'>;

/** What is kept where a request leaves it out. */
export type KeptSettings = Pick<
  CmpProfileRow,
  | 'sealed_shared_secret'
  | 'implicit_confirmation'
  | 'one_time_secrets'
  | 'trusted_authorities'
  | 'registration_authorities'
  | 'require_manual_approval'
  | 'central_keys'
  | 'bind_names'
  | 'max_mac_iterations'
>;

export const initialSettings: KeptSettings = {
  sealed_shared_secret: null,
  implicit_confirmation: true,
  one_time_secrets: true,
  trusted_authorities: [],
  registration_authorities: [],
  require_manual_approval: false,
  central_keys: false,
  bind_names: true,
  max_mac_iterations: 100_000,
};

/** Two million take a thread some two seconds for each message. */
const [LEAST_MAX_ITERATIONS, MOST_MAX_ITERATIONS] = [1_000, 2_000_000];

export function problemsOfSettings(settings: Settings, kept: KeptSettings): string[] {
  const { requestProtectionMethod, responseProtectionMethod, sharedSecret, signingCertificateUuid } = settings;
  const problems: string[] = [];
  if (sharedSecret === '') problems.push('sharedSecret: must not be empty; leave it out to keep the present one');
  const hasSecret = Boolean(sharedSecret) || kept.sealed_shared_secret !== null;
  if ([requestProtectionMethod, responseProtectionMethod].includes('sharedSecret') && !hasSecret)
    problems.push('sharedSecret: is needed where requests or responses are protected with a shared secret');
  if (responseProtectionMethod === 'signature' && !signingCertificateUuid)
    problems.push('signingCertificateUuid: is needed where responses are protected by signature');
  if (signingCertificateUuid && !isUuid(signingCertificateUuid))
    problems.push('signingCertificateUuid: must be the identifier of a certificate');
  const keys = keysOf(settings, kept);
  if (keys.central_keys && keys.require_manual_approval)
    problems.push('centralKeys: keys are not kept, so that no request can wait; turn requireManualApproval off');
  const { maxMacIterations = kept.max_mac_iterations } = settings;
  if (maxMacIterations < LEAST_MAX_ITERATIONS || maxMacIterations > MOST_MAX_ITERATIONS)
    problems.push(`maxMacIterations: must be from ${LEAST_MAX_ITERATIONS} to ${MOST_MAX_ITERATIONS}`);
  for (const field of ['trustedAuthorities', 'registrationAuthorities'] as const)
    for (const [index, encoded] of (settings[field] ?? []).entries()) {
      const problem = problemOfCertificate(encoded);
      if (problem !== undefined) problems.push(`${field}[${index}]: ${problem}`);
    }
  return problems;
}

function problemOfCertificate(encoded: string): string | undefined {
  try {
    parseCertificate(Buffer.from(encoded, 'base64'));
    return undefined;
  } catch (error) {
    if (isPkiError(error)) return `must be a certificate, as Base64 of its DER: ${error.message}`;
    throw error;
  }
}

/** Columns of the settings, without the shared secret. */
export const columnsOf = (settings: Settings, kept: KeptSettings) => ({
  description: settings.description || null,
  variant: settings.variant,
  request_protection: settings.requestProtectionMethod,
  response_protection: settings.responseProtectionMethod,
  signing_certificate_uuid: settings.signingCertificateUuid?.toLowerCase() || null,
  implicit_confirmation: settings.implicitConfirmation ?? kept.implicit_confirmation,
  one_time_secrets: settings.oneTimeSecrets ?? kept.one_time_secrets,
  trusted_authorities: storedCertificates(settings.trustedAuthorities) ?? kept.trusted_authorities,
  registration_authorities: storedCertificates(settings.registrationAuthorities) ?? kept.registration_authorities,
  ...keysOf(settings, kept),
  bind_names: settings.bindNames ?? kept.bind_names,
  max_mac_iterations: settings.maxMacIterations ?? kept.max_mac_iterations,
});

const keysOf = (
  { requireManualApproval, centralKeys }: Pick<Settings, 'requireManualApproval' | 'centralKeys'>,
  kept: KeptSettings,
) => ({
  require_manual_approval: requireManualApproval ?? kept.require_manual_approval,
  central_keys: centralKeys ?? kept.central_keys,
});

/** Each once, in one form of Base64. */
const storedCertificates = (given: readonly string[] | undefined): string[] | undefined =>
  given && [...new Set(given.map((encoded) => Buffer.from(encoded, 'base64').toString('base64')))];
