// CMP profile settings: their validation and their columns. Pure.
import type { CmpProfileRequestDto } from '@signetry/contract';
import { isPkiError, parseCertificate, type Certificate } from '@signetry/pki';
import { isUuid } from '../../kernel/ids.ts';
import { bindNames, description, settingsOf } from '../protocol-profiles/index.ts';

/** Settings common to creation and edit requests. */
export type Settings = Omit<CmpProfileRequestDto, 'name'>;

export const cmpSettings = settingsOf<Settings>()({
  description,
  variant: { column: 'variant' },
  requestProtectionMethod: { column: 'request_protection' },
  responseProtectionMethod: { column: 'response_protection' },
  signingCertificateUuid: {
    column: 'signing_certificate_uuid',
    initial: null,
    omitted: 'reset',
    store: (uuid: string): string | null => uuid.toLowerCase() || null,
    present: false,
  },
  implicitConfirmation: { column: 'implicit_confirmation', initial: true },
  oneTimeSecrets: { column: 'one_time_secrets', initial: true },
  trustedAuthorities: { column: 'trusted_authorities', initial: [], store: storedCertificates, serve: certificatesOf },
  registrationAuthorities: {
    column: 'registration_authorities',
    initial: [],
    store: storedCertificates,
    serve: certificatesOf,
  },
  requireManualApproval: { column: 'require_manual_approval', initial: false },
  centralKeys: { column: 'central_keys', initial: false },
  bindNames,
  maxMacIterations: { column: 'max_mac_iterations', initial: 100_000 },
  acceptBothProtections: { column: 'accept_both_protections', initial: false },
  strictMessages: { column: 'strict_messages', initial: true },
  messageTimeTolerance: { column: 'message_time_tolerance', initial: 300 },
});

/** Columns that a request may omit. */
export type RetainedSettings = typeof cmpSettings.initial & { readonly sealed_shared_secret: string | null };

export const initialSettings: RetainedSettings = { ...cmpSettings.initial, sealed_shared_secret: null };

/** Processing a message with two million iterations takes a thread about two seconds. */
const [LEAST_MAX_ITERATIONS, MOST_MAX_ITERATIONS] = [1_000, 2_000_000];
/** A day, in seconds. */
const MOST_TOLERANCE = 86_400;

export function problemsOfSettings(settings: Settings, kept: RetainedSettings): string[] {
  const problems = problemsOfProtection(settings, kept);
  const { centralKeys = kept.central_keys, requireManualApproval = kept.require_manual_approval } = settings;
  if (centralKeys && requireManualApproval)
    problems.push(
      'centralKeys: cannot be combined with requireManualApproval, because generated keys are not stored while a request waits; turn requireManualApproval off',
    );
  const { maxMacIterations = kept.max_mac_iterations } = settings;
  if (maxMacIterations < LEAST_MAX_ITERATIONS || maxMacIterations > MOST_MAX_ITERATIONS)
    problems.push(`maxMacIterations: must be between ${LEAST_MAX_ITERATIONS} and ${MOST_MAX_ITERATIONS}`);
  const { messageTimeTolerance = kept.message_time_tolerance } = settings;
  if (messageTimeTolerance < 0 || messageTimeTolerance > MOST_TOLERANCE)
    problems.push(`messageTimeTolerance: must be between 0 and ${MOST_TOLERANCE}`);
  for (const field of ['trustedAuthorities', 'registrationAuthorities'] as const)
    for (const [index, encoded] of (settings[field] ?? []).entries()) {
      const problem = problemOfCertificate(encoded);
      if (problem !== undefined) problems.push(`${field}[${index}]: ${problem}`);
    }
  return problems;
}

function problemsOfProtection(settings: Settings, kept: RetainedSettings): string[] {
  const { requestProtectionMethod, responseProtectionMethod, sharedSecret, signingCertificateUuid, variant } = settings;
  const { acceptBothProtections: acceptsBoth = kept.accept_both_protections } = settings;
  const problems: string[] = [];
  if (sharedSecret === '') problems.push('sharedSecret: must not be empty; omit it to keep the current one');
  const hasSecret = Boolean(sharedSecret) || kept.sealed_shared_secret !== null;
  if ([requestProtectionMethod, responseProtectionMethod].includes('sharedSecret') && !hasSecret)
    problems.push('sharedSecret: is required if requests or responses are protected with a shared secret');
  else if (acceptsBoth && !hasSecret) problems.push('sharedSecret: is required if acceptBothProtections is set');
  if (responseProtectionMethod === 'signature' && !signingCertificateUuid)
    problems.push('signingCertificateUuid: is required if responses are protected by signature');
  else if (acceptsBoth && !signingCertificateUuid)
    problems.push(
      'signingCertificateUuid: is required if acceptBothProtections is set, because responses to signed requests are signed',
    );
  if (signingCertificateUuid && !isUuid(signingCertificateUuid))
    problems.push('signingCertificateUuid: must be the UUID of a certificate');
  if (acceptsBoth && variant === 'v2_3gpp')
    problems.push(
      'acceptBothProtections: cannot be combined with the variant v2_3gpp, because base stations must sign their messages (3GPP TS 33.310 §9)',
    );
  return problems;
}

function problemOfCertificate(encoded: string): string | undefined {
  try {
    parseCertificate(Buffer.from(encoded, 'base64'));
    return undefined;
  } catch (error) {
    if (isPkiError(error)) return `must be a certificate in Base64-encoded DER: ${error.message}`;
    throw error;
  }
}

/** Returns each certificate once, in one canonical Base64 form. */
function storedCertificates(given: readonly string[]): string[] {
  return [...new Set(given.map((encoded) => Buffer.from(encoded, 'base64').toString('base64')))];
}

function certificatesOf(stored: readonly string[]): readonly Certificate[] {
  return stored.map((encoded) => parseCertificate(Buffer.from(encoded, 'base64')));
}
