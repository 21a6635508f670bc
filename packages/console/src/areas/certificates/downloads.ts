// Files of a certificate, under names that say what they hold.
import type { CertificateFormat, CertificateFormatEncoding } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import type { CertificateDetail } from './shapes.ts';

export interface Download {
  readonly label: string;
  readonly format: CertificateFormat;
  readonly encoding: CertificateFormatEncoding;
  readonly chain: boolean;
  readonly extension: string;
}

export const downloads: readonly Download[] = [
  { label: 'Certificate (PEM)', format: 'raw', encoding: 'pem', chain: false, extension: '.pem' },
  { label: 'Certificate (DER)', format: 'raw', encoding: 'der', chain: false, extension: '.der' },
  { label: 'Certificate and chain (PEM)', format: 'raw', encoding: 'pem', chain: true, extension: '-chain.pem' },
  { label: 'Certificate and chain (PKCS#7)', format: 'pkcs7', encoding: 'der', chain: true, extension: '.p7b' },
];

export async function save(certificate: CertificateDetail, download: Download): Promise<void> {
  const { format: certificateFormat, encoding, chain, extension } = download;
  const params = { uuid: certificate.uuid, certificateFormat };
  const { content } = chain
    ? await api.certificates.downloadCertificateChain({ params, query: { encoding, withEndCertificate: true } })
    : await api.certificates.downloadCertificate({ params, query: { encoding } });
  saveFile(`${fileNameOf(titleOf(certificate))}${extension}`, Uint8Array.fromBase64(content));
}

/** Names of certificates hold stars, slashes and colons. */
const fileNameOf = (title: string): string =>
  title
    .replace(/^\*/, 'wildcard')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(0, 100);

export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const anchor = Object.assign(document.createElement('a'), { href: address, download: name });
  anchor.click();
  URL.revokeObjectURL(address);
}
