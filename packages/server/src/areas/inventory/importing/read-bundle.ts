// Extracts the certificates from import files, with their positions. An upload is rejected as a whole; an import
// accepts what can be parsed and reports the rest. Pure.
import { readCertificateFile, type EntryPosition, type LenientForm } from '@signetry/pki';

export interface BundleFile {
  readonly name?: string | undefined;
  readonly content: string;
}

/** Numbers start at 1; the offset is that of the PEM block in the text. */
export interface BundlePosition {
  readonly file: number;
  readonly name?: string | undefined;
  readonly certificate?: number;
  readonly offset?: number;
}

export interface PositionedCertificate {
  readonly place: BundlePosition;
  readonly der: Uint8Array;
  /** Variants that were accepted to read the file. */
  readonly forms: readonly LenientForm[];
}

export interface RejectedEntry {
  readonly place: BundlePosition;
  readonly reason: string;
}

export interface Bundle {
  readonly found: PositionedCertificate[];
  readonly refused: RejectedEntry[];
}

/** Reads the files. Stops and sets `isCut` if there are more than `maxFound` certificates and rejections. */
export function readBundle(files: readonly BundleFile[], maxFound: number): Bundle & { readonly isCut: boolean } {
  const bundle: Bundle = { found: [], refused: [] };
  for (const [index, { name, content }] of files.entries()) {
    addFile(bundle, content, { place: { file: index + 1, ...(name !== undefined && { name }) }, maxFound });
    if (bundle.found.length + bundle.refused.length > maxFound) return { ...bundle, isCut: true };
  }
  return { ...bundle, isCut: false };
}

function addFile(
  { found, refused }: Bundle,
  content: string,
  { place, maxFound }: { readonly place: BundlePosition; readonly maxFound: number },
): void {
  const file = readCertificateFile(content, { maxEntries: maxFound - found.length - refused.length });
  for (const { der, forms, ...position } of file.certificates)
    found.push({ place: { ...place, ...placeOf(position) }, der, forms });
  for (const { reason, ...position } of file.unreadable)
    refused.push({ place: { ...place, ...placeOf(position) }, reason });
  for (const { label, number, offset } of file.others)
    refused.push(
      label === undefined
        ? { place, reason: 'The file is PKCS #12 or a private key; only certificates and PKCS #7 can be imported.' }
        : {
            place: { ...place, ...placeOf({ number, ...(offset !== undefined && { offset }) }) },
            reason: `Unsupported block type ${label}; only certificates and PKCS #7 can be imported.`,
          },
    );
  if (file.certificates.length + file.unreadable.length + file.others.length === 0)
    refused.push({ place, reason: 'The file does not contain a certificate.' });
}

const placeOf = ({ number, offset }: Partial<EntryPosition>): Pick<BundlePosition, 'certificate' | 'offset'> => ({
  ...(number !== undefined && { certificate: number }),
  ...(offset !== undefined && { offset }),
});
