// EST profile settings: their validation and their columns. Pure.
import type { EstProfileEditRequestDto } from '@signetry/contract';
import { bindNames, description, settingsOf } from '../protocol-profiles/index.ts';
import { problemsOfRequested } from './requested-attributes.ts';

const DAY_S = 86_400;

export function problemsOfSettings({
  retryAfter,
  requestedAttributes,
  ...settings
}: EstProfileEditRequestDto): string[] {
  const problems: string[] = [];
  if (retryAfter < 1 || retryAfter > DAY_S) problems.push(`retryAfter: must be between 1 and ${DAY_S} seconds`);
  if (settings.serverKeys && settings.manualApproval)
    problems.push(
      'serverKeys: generated keys are not stored, so requests cannot wait for approval; turn manualApproval off',
    );
  return [...problems, ...problemsOfRequested(requestedAttributes)];
}

export const estSettings = settingsOf<EstProfileEditRequestDto>()({
  description,
  isDefault: { column: 'is_default' },
  ownCertificates: { column: 'own_certificates' },
  trustedCertificateUuids: { column: 'trusted_certificate_uuids', store: distinctUuids },
  oneTimePasswords: { column: 'one_time_passwords' },
  passwordsRenew: { column: 'passwords_renew' },
  renewalsKeepNames: { column: 'renewals_keep_names' },
  bindNames,
  requireLinking: { column: 'require_linking' },
  requestedAttributes: { column: 'requested_attributes' },
  manualApproval: { column: 'manual_approval' },
  serverKeys: { column: 'server_keys' },
  /** In seconds. */
  retryAfter: { column: 'retry_after_s' },
});

function distinctUuids(uuids: readonly string[]): string[] {
  return [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
}
