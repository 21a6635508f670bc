// Finds a certificate by UUID, SHA-256 fingerprint, serial number, common name or first SAN.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import { CliFailure } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail, ListedCertificate } from './responses.ts';
import { titleOf } from './title.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Number of hex digits in a SHA-256 fingerprint. Serial numbers are shorter: at most 20 bytes (RFC 5280 §4.1.2.2). */
const FINGERPRINT_LENGTH = 64;

/** Several certificates can share a name or serial number; a few are enough to report the ambiguity. */
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

/** Returns the searches for a selector's possible meanings, most likely first. Hex digits can also be a name. */
function searchesOf(selector: string): readonly Search[] {
  const byName: readonly Search[] = [
    { fieldIdentifier: 'COMMON_NAME', value: selector },
    { fieldIdentifier: 'SUBJECT_ALTERNATIVE_NAMES', value: selector },
  ];
  const hex = selector.replaceAll(/[:\s]/g, '').toLowerCase();
  if (!/^[0-9a-f]+$/.test(hex)) return byName;
  if (hex.length === FINGERPRINT_LENGTH) return [{ fieldIdentifier: 'FINGERPRINT', value: hex }];
  // The API writes serial numbers without leading zeros.
  return [{ fieldIdentifier: 'SERIAL_NUMBER', value: hex.replace(/^0+(?=.)/, '') }, ...byName];
}

async function searchUuid(connection: Connection, selector: string): Promise<string> {
  for (const search of searchesOf(selector)) {
    const [found, ...others] = await matching(connection, search);
    if (found === undefined) continue;
    if (others.length === 0) return found.uuid;
    throw new CliFailure(`"${selector}" matches multiple certificates. Specify one by UUID.`, {
      help: [found, ...others].map(candidateText),
    });
  }
  throw new CliFailure(`Certificate "${selector}" not found, or not visible to you.`, {
    help: [
      'Specify it by common name, first SAN, UUID, serial number (hex) or SHA-256 fingerprint (hex). `signetry certificates list` shows all certificates.',
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
  // Only the first SAN identifies a certificate, and only if the certificate has no common name.
  return certificates.filter(
    ({ alternativeName = '' }) => alternativeName.toLowerCase() === search.value.toLowerCase(),
  );
}

const candidateText = (certificate: ListedCertificate): string => {
  const { uuid, issuerCommonName, issuerDn, state, notAfter } = certificate;
  const issuer = issuerCommonName || issuerDn || 'unknown';
  return `${uuid}  ${titleOf(certificate)}, ${state}, expires ${notAfter ?? 'never'}, issued by ${issuer}`;
};
