// Finds one certificate by UUID, SHA-256 fingerprint or serial number.
import type { PropertyFieldIdentifier } from '@signetry/contract';
import { CliFailure, wrongUsage } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './answers.ts';
import { titleOf } from './title.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hex digits of SHA-256. Serial numbers are shorter: at most 20 octets (RFC 5280 §4.1.2.2). */
const FINGERPRINT_LENGTH = 64;

/** Serial numbers are unique per authority only; a few are enough to say so. */
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

function searchOf(selector: string): Search {
  const hex = selector.replaceAll(/[:\s]/g, '').toLowerCase();
  if (!/^[0-9a-f]+$/.test(hex))
    throw wrongUsage(
      `${selector} does not name a certificate.`,
      'Name it by UUID, serial number (hex) or SHA-256 fingerprint (hex); `signetry certificates list` shows them.',
    );
  if (hex.length === FINGERPRINT_LENGTH) return { fieldIdentifier: 'FINGERPRINT', value: hex };
  // The interface writes serial numbers without leading zeros.
  return { fieldIdentifier: 'SERIAL_NUMBER', value: hex.replace(/^0+(?=.)/, '') };
}

async function searchUuid({ client, options }: Connection, selector: string): Promise<string> {
  const body = {
    filters: [{ fieldSource: 'property' as const, condition: 'EQUALS' as const, ...searchOf(selector) }],
    itemsPerPage: MAX_MATCHES,
    pageNumber: 1,
    includeArchived: true,
  };
  const { certificates } = await client.certificateSearch.searchCertificates({ body }, options);
  const [found, ...others] = certificates;
  if (found === undefined) throw new CliFailure(`There is no certificate ${selector}, or it is not visible to you.`);
  if (others.length > 0)
    throw new CliFailure(`Several certificates have the serial number ${selector}.`, {
      help: certificates.map(
        (each) => `${each.uuid}  ${titleOf(each)}, issued by ${each.issuerCommonName || each.issuerDn || 'unknown'}`,
      ),
    });
  return found.uuid;
}
