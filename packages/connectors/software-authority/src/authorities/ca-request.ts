// The certification request of a CA whose certificate another CA issued: used to renew the certificate like any other.
// It is one of the attributes of the CA.
import { infoAttribute } from '@signetry/connector-sdk';
import type { InfoAttribute } from '@signetry/contract';
import { assembleCertificationRequest, buildCertificationRequestInfo, writePem } from '@signetry/pki';
import { authorityAttributeUuid } from '../attributes/attribute-uuids.ts';
import { signWith, type SigningAuthority } from './signing-authority.ts';

/** Platforms find it by this name. */
const CA_REQUEST = 'info_certificationRequest';

/** One signature for each opened authority. */
const requests = new WeakMap<SigningAuthority, Promise<InfoAttribute>>();

export function caRequestOf(authority: SigningAuthority): Promise<InfoAttribute> {
  const known = requests.get(authority);
  if (known) return known;
  const made = makeRequest(authority);
  requests.set(authority, made);
  // A token that does not sign now may sign later.
  made.catch(() => requests.delete(authority));
  return made;
}

async function makeRequest(authority: SigningAuthority): Promise<InfoAttribute> {
  const { certificate, algorithm } = authority;
  const info = buildCertificationRequestInfo({ subject: certificate.subjectDer, spki: certificate.spki });
  const signature = await signWith(authority, info);
  const der = assembleCertificationRequest(info, { algorithm, signature });
  return infoAttribute({
    uuid: authorityAttributeUuid(40),
    name: CA_REQUEST,
    label: 'Certification request',
    text: writePem('CERTIFICATE REQUEST', der),
  });
}
