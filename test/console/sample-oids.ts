// Object identifiers for screenshots, and a certificate that uses them in its subject, a key usage and an extension.
import type { Client } from '@signetry/client';
import type { CustomOidEntryRequestDto } from '@signetry/contract';
import { buildName, encodeDer, extKeyUsageExtension, utf8StringPart } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { createExternalAuthority } from '../e2e/testing/external-authority.ts';

const ARC = '1.3.6.1.4.1.99999';
const LONG = 'Cost center of the department that pays for it, as written in the directory of the whole company';

const entries: readonly CustomOidEntryRequestDto[] = [
  {
    oid: `${ARC}.1.1`,
    displayName: 'Cost center',
    description: LONG,
    category: 'rdnAttributeType',
    additionalProperties: { code: 'COSTCENTRE', altCodes: ['CC', 'KST'] },
  },
  {
    oid: '2.5.4.97',
    displayName: 'Organization identifier',
    description: 'ETSI EN 319 412-1',
    category: 'rdnAttributeType',
    additionalProperties: { code: 'ORGANIZATIONIDENTIFIER', altCodes: ['ORGID'] },
  },
  {
    oid: `${ARC}.1.2`,
    displayName: 'Path in the asset tree of the whole company',
    category: 'rdnAttributeType',
    additionalProperties: { code: 'PathInTheTreeOfAssetsOfTheWholeCompanyAndItsSubsidiaries' },
  },
  { oid: `${ARC}.2.1`, displayName: 'Badge printing', category: 'extendedKeyUsage' },
  { oid: '1.3.6.1.5.5.7.3.17', displayName: 'IPsec IKE', description: 'RFC 4945', category: 'extendedKeyUsage' },
  { oid: `${ARC}.3.1`, displayName: 'Asset number', description: 'From the machine inventory.', category: 'generic' },
  { oid: `${ARC}.3.2`, displayName: 'Löschfrist', category: 'generic' },
  { oid: `${ARC}.3.3`, displayName: 'سياسة الشهادات الداخلية', category: 'generic' },
  { oid: '2.25.329800735698586629295641978511506172918', displayName: 'Image build', category: 'generic' },
];

export interface OidSamples {
  readonly oid: string;
  /** Certificate with these identifiers. */
  readonly withOids: string;
}

export async function createSampleOids(client: Client): Promise<OidSamples> {
  for (const body of entries) await client.oids.createCustomOidEntry({ body });
  const authority = await createExternalAuthority('CN=Works CA, O=Example');
  const { spki } = await generateKeyPair('P-256');
  const subject = buildName([
    { type: 'O', value: 'Example' },
    { type: '2.5.4.97', value: 'VATDE-123456789' },
    { type: `${ARC}.1.1`, value: '4711' },
    { type: `${ARC}.1.2`, value: 'europe/works/press-07' },
    { type: 'CN', value: 'press-07.works.example' },
  ]);
  const der = authority.issue({
    subject,
    dnsNames: ['press-07.works.example'],
    spki,
    notAfterMs: Date.now() + 200 * 86_400_000,
    extensions: [
      extKeyUsageExtension(['1.3.6.1.5.5.7.3.2', `${ARC}.2.1`]),
      { oid: `${ARC}.3.1`, critical: false, value: encodeDer(utf8StringPart('A-2093-11')) },
    ],
  });
  const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
  return { oid: `${ARC}.1.1`, withOids: (await client.certificates.uploadCertificate({ body })).uuid };
}
