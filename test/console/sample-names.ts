// Imported certificates for screenshots: real-world names, and deceptive ones.
import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Client } from '@signetry/client';
import { bitStringPart, buildName, encodeDer, OID, type ExtensionInput } from '@signetry/pki';
import { generateKeyPair } from '@signetry/pki/node';
import { EXTENSION_VALUES } from '../../packages/pki/src/testing/extension-values.ts';
import { createExternalAuthority } from '../e2e/testing/external-authority.ts';

const LONG_ISSUER =
  'CN=The Extraordinarily Long-Named Certification Authority for Servers of the Free and Hanseatic City - Class 3 G2';
const DAY_MS = 86_400_000;
/** Number of the system's public roots; enough to be visible in a list. */
const PUBLIC_ROOTS = 12;

export interface ExternalSamples {
  /** Has a hundred names, and an issuer with a long name. */
  readonly many: string;
  /** Has parts that resemble other parts, and right-to-left text. */
  readonly deceiving: string;
  /** System root that is not trusted on this platform. */
  readonly publicRoot: string;
  /** Has every known extension, and two unreadable ones. */
  readonly extended: string;
}

export async function uploadExternalSamples(client: Client): Promise<ExternalSamples> {
  const authority = await createExternalAuthority(LONG_ISSUER);
  const { spki } = await generateKeyPair('P-256');
  await upload(client, authority.der);
  const notAfterMs = Date.now() + 500 * DAY_MS;
  const names = Array.from({ length: 100 }, (_, at) => `service-${at + 1}.department.example`);
  const many = await upload(client, authority.issue({ subject: '', dnsNames: names, spki, notAfterMs }));
  const subject = buildName([
    { type: 'C', value: 'DE' },
    { type: 'O', value: 'Acme, CN=bank.example, O=Bank of Example' },
    { type: 'OU', value: 'شركة الأمثلة المحدودة' },
    { type: 'CN', value: 'xn--mnchen-3ya.example' },
  ]);
  const dnsNames = ['xn--mnchen-3ya.example', 'xn--80ak6aa92e.example', 'xn--5dbqzzl.example', '*.shop.example'];
  const deceiving = await upload(client, authority.issue({ subject, dnsNames, spki, notAfterMs }));
  const files = existsSync('/etc/ssl/certs') ? globSync('/etc/ssl/certs/*.pem').slice(0, PUBLIC_ROOTS) : [];
  let publicRoot = deceiving;
  for (const file of files) publicRoot = await upload(client, readFileSync(file));
  const extended = await upload(
    client,
    authority.issue({ subject: 'CN=extended.example', spki, notAfterMs, extensions: everyExtension() }),
  );
  return { many, deceiving, publicRoot, extended };
}

function everyExtension(): readonly ExtensionInput[] {
  const values = new Map(EXTENSION_VALUES);
  values.set(OID.nameConstraints, Uint8Array.of(0x30, 0x7f));
  values.set(OID.altSignatureValue, encodeDer(bitStringPart(new Uint8Array(3_309).fill(0xa5))));
  return [...values].map(([oid, value]) => ({ oid, critical: oid === OID.nameConstraints, value }));
}

async function upload(client: Client, file: Uint8Array): Promise<string> {
  const body = { certificate: Buffer.from(file).toString('base64'), customAttributes: [] };
  return (await client.certificates.uploadCertificate({ body })).uuid;
}
