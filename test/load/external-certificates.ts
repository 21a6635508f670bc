// Properly signed certificates of an external CA, inserted into the platform's database in bulk: a root, an
// intermediate CA and P-256 certificates that name one CRL, which is served here.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@signetry/client';
import {
  assembleCertificate,
  assembleCrl,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  buildTbsCertList,
  crlDistributionPointsExtension,
  defaultSignatureAlgorithm,
  keyIdentifier,
  keyUsageExtension,
  parsePublicKey,
  subjectKeyIdentifierExtension,
  type ExtensionInput,
  type Name,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import type { Database } from '@signetry/server/database';

const DAY_MS = 86_400_000;
const CHUNK = 5_000;
const algorithm = (keys: KeyPair) => defaultSignatureAlgorithm(parsePublicKey(keys.spki));
const idOf = (keys: KeyPair) => keyIdentifier(parsePublicKey(keys.spki), nodeCrypto.digest);
const sign = (keys: KeyPair, data: Uint8Array) => ({
  algorithm: algorithm(keys),
  signature: nodeCrypto.sign(keys.privateKey, { algorithm: algorithm(keys), data }),
});

interface Party {
  readonly name: Name;
  readonly keys: KeyPair;
  readonly der: Uint8Array;
}

interface CertificateSpec {
  readonly keys: KeyPair;
  readonly issuer?: Pick<Party, 'name' | 'keys'>;
  readonly serial: number;
  readonly extensions: readonly ExtensionInput[];
  /** A different public key than that of `keys`, which then does not sign. */
  readonly spki?: Uint8Array;
}

function certificate(
  commonName: string,
  { keys, issuer, serial, extensions, spki = keys.spki }: CertificateSpec,
): Party {
  const name = buildName([{ type: 'CN', value: commonName }]);
  const signer = issuer ?? { name, keys };
  const octets = new Uint8Array(9).fill(0x40, 0, 1);
  new DataView(octets.buffer).setUint32(5, serial);
  const tbs = buildTbsCertificate({
    serialNumber: octets,
    signatureAlgorithm: algorithm(signer.keys),
    issuer: signer.name,
    subject: name,
    notBeforeMs: Date.now() - DAY_MS,
    notAfterMs: Date.now() + 365 * DAY_MS,
    spki,
    extensions,
  });
  return { name, keys, der: assembleCertificate(tbs, sign(signer.keys, tbs)) };
}

export interface ExternalCertificates {
  /** Uploads the trusted CAs, and one certificate that serves as a template for the others. */
  upload(client: Client): Promise<void>;
  /** Adds the given number of certificates. */
  fill(database: Database, count: number): Promise<void>;
  close(): void;
}

interface Population {
  /** Number of CRL entries, none of them for a certificate used here. */
  readonly revoked: number;
  /** Returns the public key for a serial number; all certificates share one key by default. */
  readonly spkiOf?: (serial: number) => Uint8Array;
}

export async function createExternalCertificates({ revoked, spkiOf }: Population): Promise<ExternalCertificates> {
  const [rootKeys, betweenKeys, leafKeys] = await Promise.all([1, 2, 3].map(() => generateKeyPair('P-256')));
  if (!rootKeys || !betweenKeys || !leafKeys) throw new Error('Expected three key pairs.');
  const authority = (keys: KeyPair) => [
    basicConstraintsExtension({ ca: true }),
    keyUsageExtension(['keyCertSign', 'cRLSign']),
    subjectKeyIdentifierExtension(idOf(keys)),
  ];
  const root = certificate('Bulk Root', { keys: rootKeys, serial: 1, extensions: authority(rootKeys) });
  const between = certificate('Bulk Between', {
    keys: betweenKeys,
    issuer: root,
    serial: 2,
    extensions: [...authority(betweenKeys), authorityKeyIdentifierExtension(idOf(rootKeys))],
  });
  const list = crlOf(between, revoked);
  const server = createServer((_request, response) => response.end(list));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/between.crl`;
  const leafExtensions = [
    keyUsageExtension(['digitalSignature']),
    authorityKeyIdentifierExtension(idOf(betweenKeys)),
    crlDistributionPointsExtension([url]),
  ];
  const leaf = (serial: number): Uint8Array =>
    certificate(`host-${serial}.bulk.example`, {
      keys: leafKeys,
      issuer: between,
      serial,
      extensions: leafExtensions,
      ...(spkiOf && { spki: spkiOf(serial) }),
    }).der;

  return {
    async upload(client) {
      const put = async (der: Uint8Array): Promise<string> => {
        const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
        return (await client.certificates.uploadCertificate({ body })).uuid;
      };
      for (const { der } of [root, between]) {
        const params = { uuid: await put(der) };
        await client.certificates.updateCertificateObjects({ params, body: { trustedCa: true } });
      }
      const params = { uuid: await put(leaf(3)) };
      await client.certificates.getCertificateValidationResult({ params });
    },
    async fill(database, count) {
      for (let first = 0; first < count; first += CHUNK) {
        const serials = Array.from({ length: Math.min(CHUNK, count - first) }, (_, index) => 4 + first + index);
        const ders = serials.map((serial) => Buffer.from(leaf(serial)));
        await database.query(FILL, [ders, serials]);
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function crlOf(issuer: Party, entries: number): Uint8Array {
  const tbs = buildTbsCertList({
    signatureAlgorithm: algorithm(issuer.keys),
    issuer: issuer.name,
    thisUpdateMs: Date.now() - 1000,
    nextUpdateMs: Date.now() + DAY_MS,
    crlNumber: 1,
    authorityKeyIdentifier: idOf(issuer.keys),
    entries: Array.from({ length: entries }, (_, index) => {
      const serialNumber = new Uint8Array(9).fill(0x30, 0, 1);
      new DataView(serialNumber.buffer).setUint32(5, index);
      return { serialNumber, revocationMs: Date.now() - DAY_MS, reason: 'superseded' as const };
    }),
  });
  return assembleCrl(tbs, sign(issuer.keys, tbs));
}

/** Columns that all copies of a certificate share. */
const ALIKE = `state, validation_status, compliance_status, certificate_type, subject_dn, subject_dn_normalized, issuer_common_name,
  issuer_dn, issuer_dn_normalized, not_before, not_after, public_key_algorithm, public_key_fingerprint, key_size, signature_algorithm,
  key_usage, extended_key_usage, subject_type, subject_alternative_names, issuer_certificate_uuid, issuer_serial_number, created_at,
  updated_at`;
/** Copies the row of the uploaded certificate, with a different DER for each. */
const FILL = `
  WITH fresh AS (
    SELECT gen_random_uuid() AS uuid, der, encode(sha256(der), 'hex') AS fingerprint, '40' || lpad(to_hex(serial), 16, '0') AS serial, serial AS number
    FROM unnest($1::bytea[], $2::int[]) AS given (der, serial)),
  kept AS (INSERT INTO certificate_content (fingerprint, der) SELECT fingerprint, der FROM fresh),
  sample AS (SELECT * FROM certificate WHERE common_name = 'host-3.bulk.example')
  INSERT INTO certificate (uuid, fingerprint, serial_number, common_name, ${ALIKE})
  SELECT f.uuid, f.fingerprint, f.serial, 'host-' || f.number || '.bulk.example', ${ALIKE} FROM sample s, fresh f`;
