// Issues a certificate to an end entity through the same path as all others: the intent is committed with the sealed
// password before the authority is called.
import type { LegacyClientCertificateSignRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { awaitingApprovalError } from '../approving/approval-needed.ts';
import { readRequest, type NameSource } from '../../certificates/index.ts';
import type { Issuance } from '../issuance/issuance.ts';
import { responseFor } from '../issuance/issue.ts';
import { endEntityProfileOf } from '../operations/legacy-calls.ts';

/** Returns the certificate in DER. */
export async function issueToEndEntity(
  { issuance, names }: { readonly issuance: Pick<Issuance, 'perform'>; readonly names: NameSource },
  { profile, given }: { readonly profile: IssuingProfile; readonly given: LegacyClientCertificateSignRequestDto },
  context: RequestContext,
): Promise<Uint8Array> {
  endEntityProfileOf(profile);
  const { username, password, pkcs10 } = given;
  const { codes } = await names();
  const attempt = await issuance.perform(
    {
      kind: 'issue',
      profile,
      request: readRequest(pkcs10, 'pkcs10', codes),
      attributes: [],
      // Version 1 of the interface has no custom attributes.
      customAttributes: [],
      predecessor: undefined,
      enrollment: { username, password: new Secret(password) },
    },
    context,
  );
  const { der, uuid, waitsForApproval: waits } = responseFor(attempt);
  if (der) return der;
  if (waits) throw awaitingApprovalError('issuing', uuid);
  throw new AppError(
    'unavailable',
    {
      reason:
        'the authority has not responded yet; issuance continues in the background, and the certificate will appear in the inventory',
    },
    { objectUuid: uuid },
  );
}
