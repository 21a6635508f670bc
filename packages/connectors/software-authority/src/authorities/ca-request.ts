// The CSR of a CA whose certificate is issued by a different CA. It is used to renew the certificate like any other,
// and is returned as a CA attribute.
import { infoAttribute } from '@signetry/connector-sdk';
import type { InfoAttribute } from '@signetry/contract';
import { assembleCertificationRequest, buildCertificationRequestInfo, writePem } from '@signetry/pki';
import { authorityAttributeUuid } from '../attributes/attribute-uuids.ts';
import { signWith, type SigningAuthority } from './signing-authority.ts';

/** Platforms look up the attribute by this name. */
const CA_REQUEST = 'info_certificationRequest';

/** Signed once per loaded authority. */
const requests = new WeakMap<SigningAuthority, Promise<InfoAttribute>>();

export function caRequestOf(authority: SigningAuthority): Promise<InfoAttribute> {
  const known = requests.get(authority);
  if (known) return known;
  const made = createRequest(authority);
  requests.set(authority, made);
  // A failure is not cached, because the token may be able to sign later.
  made.catch(() => requests.delete(authority));
  return made;
}

async function createRequest(authority: SigningAuthority): Promise<InfoAttribute> {
  const { certificate, algorithm } = authority;
  const info = buildCertificationRequestInfo({ subject: certificate.subjectDer, spki: certificate.spki });
  const signature = await signWith(authority, info);
  const der = assembleCertificationRequest(info, { algorithm, signature });
  return infoAttribute({
    uuid: authorityAttributeUuid(40),
    name: CA_REQUEST,
    label: 'Certificate signing request',
    text: writePem('CERTIFICATE REQUEST', der),
  });
}
