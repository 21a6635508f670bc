// Settings of EST profiles: which are refused, and their columns. Pure.
import type { EstProfileEditRequestDto } from '@signetry/contract';
import type { EstProfileRow } from './tables.ts';

const DAY_S = 86_400;
/** The first two arcs are in one octet (X.690 §8.19.4). */
const OBJECT_IDENTIFIER = /^(?:[01]\.(?:[1-3]?\d)|2\.(?:0|[1-9]\d{0,9}))(?:\.(?:0|[1-9]\d{0,9}))+$/;

export function problemsOfSettings({
  retryAfter,
  requestedAttributes,
  ...settings
}: EstProfileEditRequestDto): string[] {
  const problems: string[] = [];
  if (retryAfter < 1 || retryAfter > DAY_S) problems.push(`retryAfter: must be from 1 to ${DAY_S} seconds`);
  if (settings.serverKeys && settings.manualApproval)
    problems.push('serverKeys: keys are not kept, so that no request can wait; turn manualApproval off');
  const { attributes = [], extensions = [] } = requestedAttributes;
  for (const identifier of [...attributes, ...extensions])
    if (!OBJECT_IDENTIFIER.test(identifier))
      problems.push(`requestedAttributes: ${JSON.stringify(identifier)} is not an object identifier in dotted form`);
  return problems;
}

export const columnsOf = (request: EstProfileEditRequestDto) =>
  ({
    description: request.description || null,
    is_default: request.isDefault,
    own_certificates: request.ownCertificates,
    trusted_certificate_uuids: [...new Set(request.trustedCertificateUuids.map((uuid) => uuid.toLowerCase()))],
    one_time_passwords: request.oneTimePasswords,
    passwords_renew: request.passwordsRenew,
    renewals_keep_names: request.renewalsKeepNames,
    require_linking: request.requireLinking,
    requested_attributes: request.requestedAttributes,
    manual_approval: request.manualApproval,
    server_keys: request.serverKeys,
    retry_after_s: request.retryAfter,
    usernames: request.users.map(({ username }) => username),
  }) satisfies Partial<EstProfileRow>;
