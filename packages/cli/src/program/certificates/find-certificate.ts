// Finds one certificate by UUID, SHA-256 fingerprint, serial number, common name or first alternative name.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import { CliFailure } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail, CertificateListed } from './answers.ts';
import { titleOf } from './title.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hex digits of SHA-256. Serial numbers are shorter: at most 20 octets (RFC 5280 §4.1.2.2). */
const FINGERPRINT_LENGTH = 64;

/** Names and serial numbers may be those of several; a few are enough to say so. */
const MAX_MATCHES = 10;

export async function findCertificate(connection: Connection, selector: string): Promise<CertificateDetail> {
  const { client, options } = connection;
  const uuid = UUID.test(selector) ? selector : await searchUuid(connection, selector);
  return client.certificates.getCertificate({ params: { uuid } }, options);
}

interface Search {
  readonly fieldIdentifier: PropertyFieldIdentifier<'certificates'>;
  readonly value: string;
}

/** What a selector may be, the likeliest first: hex digits may be a name, too. */
function searchesOf(selector: string): readonly Search[] {
  const byName: readonly Search[] = [
    { fieldIdentifier: 'COMMON_NAME', value: selector },
    { fieldIdentifier: 'SUBJECT_ALTERNATIVE_NAMES', value: selector },
  ];
  const hex = selector.replaceAll(/[:\s]/g, '').toLowerCase();
  if (!/^[0-9a-f]+$/.test(hex)) return byName;
  if (hex.length === FINGERPRINT_LENGTH) return [{ fieldIdentifier: 'FINGERPRINT', value: hex }];
  // The interface writes serial numbers without leading zeros.
  return [{ fieldIdentifier: 'SERIAL_NUMBER', value: hex.replace(/^0+(?=.)/, '') }, ...byName];
}

async function searchUuid(connection: Connection, selector: string): Promise<string> {
  for (const search of searchesOf(selector)) {
    const [found, ...others] = await matching(connection, search);
    if (found === undefined) continue;
    if (others.length === 0) return found.uuid;
    throw new CliFailure(`Several certificates are meant by ${selector}; name one by its UUID.`, {
      help: [found, ...others].map(candidateText),
    });
  }
  throw new CliFailure(`There is no certificate ${selector}, or it is not visible to you.`, {
    help: [
      'Name it by common name, first alternative name, UUID, serial number (hex) or SHA-256 fingerprint (hex); `signetry certificates list` shows them.',
    ],
  });
}

async function matching({ client, options }: Connection, search: Search) {
  const isAlternative = search.fieldIdentifier === 'SUBJECT_ALTERNATIVE_NAMES';
  const condition = isAlternative ? ('CONTAINS' as const) : ('EQUALS' as const);
  const body = {
    filters: [{ fieldSource: 'property' as const, condition, ...search }],
    itemsPerPage: MAX_MATCHES,
    pageNumber: 1,
    includeArchived: true,
  };
  const { certificates } = await client.certificateSearch.searchCertificates({ body }, options);
  if (!isAlternative) return certificates;
  // Only the first alternative name is what a certificate is called, where it has no common name.
  return certificates.filter(
    ({ alternativeName = '' }) => alternativeName.toLowerCase() === search.value.toLowerCase(),
  );
}

const candidateText = (certificate: CertificateListed): string => {
  const { uuid, issuerCommonName, issuerDn, state, notAfter } = certificate;
  const issuer = issuerCommonName || issuerDn || 'unknown';
  return `${uuid}  ${titleOf(certificate)}, ${state}, until ${notAfter ?? 'never'}, issued by ${issuer}`;
};
