// The identifiers that the interface names itself. They cannot be given other names; whatever else the platform knows
// can be, because other installations of the interface leave those to their administrators.
import { OID } from '@signetry/pki';

export const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  [OID.emailAddress, 'Email'],
  [OID.commonName, 'Common Name'],
  [OID.organizationalUnitName, 'Organization Unit'],
  [OID.organizationName, 'Organization'],
  [OID.localityName, 'Locality'],
  [OID.stateOrProvinceName, 'State'],
  [OID.domainComponent, 'Domain Component'],
  [OID.countryName, 'Country'],
  [OID.dnQualifier, 'Distinguished Name Qualifier'],
  [OID.title, 'Title'],
  [OID.surname, 'Surname'],
  [OID.givenName, 'Given Name'],
  [OID.initials, 'Initials'],
  [OID.pseudonym, 'Pseudonym'],
  [OID.generationQualifier, 'Generation Qualifier'],
  [OID.serverAuth, 'TLS Web Server Authentication'],
  [OID.clientAuth, 'TLS Web Client Authentication'],
  [OID.codeSigning, 'Code Signing'],
  [OID.emailProtection, 'Email Protection'],
  [OID.timeStamping, 'Time Stamping'],
  [OID.ocspSigning, 'OCSP Signing'],
  [OID.msDocumentSigning, 'Document Signing'],
  [OID.ipsecUser, 'IPSec User'],
  [OID.ipsecEndSystem, 'IPSec End System'],
  [OID.ipsecTunnel, 'IPSec Tunnel'],
  [OID.adobeDocumentSigning, 'Authentic Documents Trust'],
]);
