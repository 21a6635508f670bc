// Issues to an end entity, on the path of every other certificate: the intent is committed with the password, sealed,
// before the authority is asked.
import type { LegacyClientCertificateSignRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { waitsForApproval } from '../approving/needed.ts';
import { readRequest, type NameSource } from '../../certificates/index.ts';
import type { Issuance } from '../issuance/issuance.ts';
import { answerOf } from '../issuance/issue.ts';
import { endEntityProfileOf } from '../operations/legacy-calls.ts';

/** Answers the certificate in DER. */
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
      // The first generation of the interface has none.
      customAttributes: [],
      predecessor: undefined,
      enrolment: { username, password: new Secret(password) },
    },
    context,
  );
  const { der, uuid, waitsForApproval: waits } = answerOf(attempt);
  if (der) return der;
  if (waits) throw waitsForApproval('issuing', uuid);
  throw new AppError(
    'unavailable',
    {
      reason:
        'the authority has not answered yet; issuing goes on in the background, and the certificate will be in the inventory',
    },
    { objectUuid: uuid },
  );
}
