// General messages (RFC 9483 §4.3): what the client wants to know of the authority.
import { buildInfo, equalNames, infoName, parseCertificate, type InfoTypeAndValue } from '@signetry/pki';
import type { CertificatesArea } from '../../../areas/certificates/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { CmpCall, CmpReply } from '../call.ts';

export interface GeneralParts {
  readonly certificates: Pick<CertificatesArea, 'chainOf'>;
  readonly raProfiles: Pick<RaProfiles, 'caCertificateUuids'>;
}

/** Each is answered by what there is; one without a value says that there is nothing (RFC 9483 §4.3). */
export async function tell(parts: GeneralParts, call: CmpCall, infos: readonly InfoTypeAndValue[]): Promise<CmpReply> {
  const answers: InfoTypeAndValue[] = [];
  for (const info of infos) {
    const name = infoName(info.type);
    if (name === 'implicitConfirm') continue;
    answers.push(name === 'caCerts' ? await caCerts(parts, call, info) : { type: info.type, value: undefined });
  }
  return { body: { type: 'genp', infos: answers } };
}

/** The authorities above the certificates of the RA profile, without roots, unless there are only these. */
async function caCerts(
  { certificates, raProfiles }: GeneralParts,
  { raProfile }: CmpCall,
  { type }: InfoTypeAndValue,
): Promise<InfoTypeAndValue> {
  const uuids = await raProfiles.caCertificateUuids(raProfile.authorityUuid);
  const chains = await Promise.all(uuids.map((uuid) => certificates.chainOf(uuid)));
  const all = [...new Map(chains.flat().map((der) => [Buffer.from(der).toString('base64'), der])).values()];
  const below = all.filter((der) => !isRoot(der));
  const shown = below.length > 0 ? below : all;
  return shown.length > 0 ? buildInfo('caCerts', shown) : { type, value: undefined };
}

function isRoot(der: Uint8Array): boolean {
  const { subject, issuer } = parseCertificate(der);
  return equalNames(subject, issuer);
}
