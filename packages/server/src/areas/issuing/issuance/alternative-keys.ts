// The second key of a hybrid certificate (X.509 2019 §9.8), which is handled like the first: a renewal keeps both keys,
// a rekey changes both.
import { alternativeSpki, parseCertificate, parseCertificationRequest, requestedAlternativeKey } from '@signetry/pki';
import { rejected } from '../../../kernel/errors.ts';
import type { RequestFacts } from '../../certificates/index.ts';

export function rejectWrongAlternativeKey(
  kind: 'renew' | 'rekey',
  { predecessor, request }: { readonly predecessor: Uint8Array; readonly request: RequestFacts },
): void {
  const before = alternativeSpki(parseCertificate(predecessor));
  if (!before) return;
  // CRMF has no field for the alternative key.
  const requested =
    request.format === 'crmf' ? undefined : requestedAlternativeKey(parseCertificationRequest(request.der))?.spki;
  const problem = problemOfAlternativeKey(kind, before, requested);
  if (problem !== undefined) throw rejected(`request: ${problem}`);
}

/** Both keys are in SubjectPublicKeyInfo form. */
export function problemOfAlternativeKey(
  kind: 'renew' | 'rekey',
  before: Uint8Array,
  requested: Uint8Array | undefined,
): string | undefined {
  if (!requested) return 'it has no alternative key, but the certificate is hybrid; issue a new certificate instead';
  const isSame = Buffer.compare(before, requested) === 0;
  if (kind === 'renew' && !isSame)
    return 'its alternative key differs from that of the certificate to be renewed; use rekey for new keys';
  return kind === 'rekey' && isSame
    ? 'its alternative key is that of the certificate to be rekeyed; both keys of a hybrid certificate must change'
    : undefined;
}
