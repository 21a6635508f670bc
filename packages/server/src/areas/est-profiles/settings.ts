// Settings of EST profiles: which are refused, and their columns. Pure.
import type { EstProfileEditRequestDto } from '@signetry/contract';
import { problemsOfRequested } from './requested-attributes.ts';
import type { EstProfileRow } from './tables.ts';

const DAY_S = 86_400;

export function problemsOfSettings({
  retryAfter,
  requestedAttributes,
  ...settings
}: EstProfileEditRequestDto): string[] {
  const problems: string[] = [];
  if (retryAfter < 1 || retryAfter > DAY_S) problems.push(`retryAfter: must be from 1 to ${DAY_S} seconds`);
  if (settings.serverKeys && settings.manualApproval)
    problems.push('serverKeys: keys are not kept, so that no request can wait; turn manualApproval off');
  return [...problems, ...problemsOfRequested(requestedAttributes)];
}

/** What is kept where a request leaves it out. */
export type KeptSettings = Pick<EstProfileRow, 'bind_names'>;

export const initialSettings: KeptSettings = { bind_names: true };

export const columnsOf = (request: EstProfileEditRequestDto, kept: KeptSettings) =>
  ({
    description: request.description || null,
    is_default: request.isDefault,
    own_certificates: request.ownCertificates,
    trusted_certificate_uuids: [...new Set(request.trustedCertificateUuids.map((uuid) => uuid.toLowerCase()))],
    one_time_passwords: request.oneTimePasswords,
    passwords_renew: request.passwordsRenew,
    renewals_keep_names: request.renewalsKeepNames,
    bind_names: request.bindNames ?? kept.bind_names,
    require_linking: request.requireLinking,
    requested_attributes: request.requestedAttributes,
    manual_approval: request.manualApproval,
    server_keys: request.serverKeys,
    retry_after_s: request.retryAfter,
    usernames: request.users.map(({ username }) => username),
  }) satisfies Partial<EstProfileRow>;
