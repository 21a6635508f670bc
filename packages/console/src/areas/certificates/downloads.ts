// Certificate downloads and their file names.
import type { CertificateFormat, CertificateFormatEncoding } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { nameOf } from '../../format/names.ts';
import type { CertificateDetail } from './shapes.ts';

export interface Download {
  readonly label: string;
  readonly format: CertificateFormat;
  readonly encoding: CertificateFormatEncoding;
  readonly chain: boolean;
  readonly extension: string;
}

export const chainPem: Download = {
  label: 'Certificate and chain (PEM)',
  format: 'raw',
  encoding: 'pem',
  chain: true,
  extension: '-chain.pem',
};

export const downloads: readonly Download[] = [
  { label: 'Certificate (PEM)', format: 'raw', encoding: 'pem', chain: false, extension: '.pem' },
  { label: 'Certificate (DER)', format: 'raw', encoding: 'der', chain: false, extension: '.der' },
  chainPem,
  { label: 'Certificate and chain (PKCS #7)', format: 'pkcs7', encoding: 'der', chain: true, extension: '.p7b' },
];

type NamedCertificate = Pick<CertificateDetail, 'uuid' | 'commonName' | 'subjectDn' | 'serialNumber'>;

export async function save(certificate: NamedCertificate, download: Download): Promise<void> {
  saveFile(fileNameOf(certificate, download.extension), await contentOf(certificate, download));
}

/** Returns the file contents. */
export async function contentOf(
  { uuid }: Pick<NamedCertificate, 'uuid'>,
  download: Download,
): Promise<Uint8Array<ArrayBuffer>> {
  const { format: certificateFormat, encoding, chain } = download;
  const params = { uuid, certificateFormat };
  const { content } = chain
    ? await api.certificates.downloadCertificateChain({ params, query: { encoding, withEndCertificate: true } })
    : await api.certificates.downloadCertificate({ params, query: { encoding } });
  return Uint8Array.fromBase64(content);
}

/** Certificate names can contain asterisks, slashes and colons. */
export const fileNameOf = (certificate: NamedCertificate, extension: string): string =>
  nameOf(certificate)
    .replace(/^\*/, 'wildcard')
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(0, 100) + extension;

export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const anchor = Object.assign(document.createElement('a'), { href: address, download: name });
  anchor.click();
  URL.revokeObjectURL(address);
}
