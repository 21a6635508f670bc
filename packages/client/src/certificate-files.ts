// Splits certificate files into import requests: small files are sent whole, large PEM files are split between blocks.
// Each piece records its position, so that reports can refer to positions in the file.
import type { CertificateImportReport } from '@signetry/contract';

export interface FilePiece {
  /** File name, for reports and the history. */
  readonly name: string;
  readonly content: string;
  /** Number of blocks and characters in the file before this piece. */
  readonly blocksBefore: number;
  readonly offset: number;
}

/** Maximum number of content characters in one request; the platform accepts bodies of up to 16 MiB. */
export const MAX_IMPORT_REQUEST = 6 * 1024 * 1024;
const MAX_FILES = 5_000;
const MAX_NAME = 300;
const BEGIN = '-----BEGIN ';

/** Returns text unchanged, and all other content as Base64. */
export function splitFile(name: string, octets: Uint8Array): FilePiece[] {
  const text = new TextDecoder('latin1').decode(octets);
  if (text.includes('\0') || (text.startsWith('0') && !text.includes(BEGIN)))
    return [{ name: name.slice(-MAX_NAME), content: octets.toBase64(), blocksBefore: 0, offset: 0 }];
  return cut(text, name.slice(-MAX_NAME));
}

function cut(text: string, name: string): FilePiece[] {
  const pieces: FilePiece[] = [];
  let [from, blocksBefore] = [0, 0];
  while (text.length - from > MAX_IMPORT_REQUEST) {
    // Split at the last block that begins within the limit. A single larger block stays whole and is rejected.
    const last = text.lastIndexOf(BEGIN, from + MAX_IMPORT_REQUEST);
    const at = last > from ? last : text.indexOf(BEGIN, from + 1);
    if (at === -1) break;
    const content = text.slice(from, at);
    pieces.push({ name, content, blocksBefore, offset: from });
    blocksBefore += content.split(BEGIN).length - 1;
    from = at;
  }
  return [...pieces, { name, content: text.slice(from), blocksBefore, offset: from }];
}

/** Collects pieces into requests. */
export class ImportBatch {
  private pieces: FilePiece[] = [];
  private length = 0;

  /** Adds a piece. Returns the previous pieces if they must be sent first, or an empty array while there is room. */
  add(piece: FilePiece): readonly FilePiece[] {
    const isFull = this.length + piece.content.length > MAX_IMPORT_REQUEST || this.pieces.length === MAX_FILES;
    const full = isFull ? this.take() : [];
    this.pieces.push(piece);
    this.length += piece.content.length;
    return full;
  }

  /** Returns and clears the collected pieces. */
  take(): readonly FilePiece[] {
    const { pieces } = this;
    this.pieces = [];
    this.length = 0;
    return pieces;
  }
}

export interface FileRejection {
  readonly name: string;
  /** Number of the certificate in the file, and its position in the text. */
  readonly certificate?: number | undefined;
  readonly offset?: number | undefined;
  readonly reason: string;
}

/** Returns the rejections in a response, with positions relative to the original files. */
export const rejectionsOf = (
  { refusals }: Pick<CertificateImportReport, 'refusals'>,
  pieces: readonly FilePiece[],
): FileRejection[] =>
  refusals.map(({ file, certificate, offset, reason }) => {
    const { name = '', blocksBefore = 0, offset: before = 0 } = pieces[file - 1] ?? {};
    return {
      name,
      ...(certificate !== undefined && { certificate: certificate + blocksBefore }),
      ...(offset !== undefined && { offset: offset + before }),
      reason,
    };
  });

/** Returns `certificate 7 at character 1200`, or an empty string if the rejection concerns the whole file. */
export const describePosition = ({ certificate, offset }: FileRejection): string =>
  [
    ...(certificate === undefined ? [] : [`certificate ${certificate}`]),
    ...(offset === undefined ? [] : [`at character ${offset}`]),
  ].join(' ');

export interface FileFinding {
  readonly name: string;
  /** Number of certificates in the file to which the finding applies. */
  readonly certificates: number;
  readonly finding: string;
}

/** Returns previous findings and those in a response; findings about pieces of the same file are counted together. */
export function addFindings(
  previous: readonly FileFinding[],
  { findings }: Pick<CertificateImportReport, 'findings'>,
  pieces: readonly FilePiece[],
): FileFinding[] {
  const all = [...previous];
  const places = new Map(all.map(({ name, finding }, place) => [`${name}\0${finding}`, place]));
  for (const { file, certificates, finding } of findings) {
    const name = pieces[file - 1]?.name ?? '';
    const key = `${name}\0${finding}`;
    const place = places.get(key);
    const known = place === undefined ? undefined : all[place];
    if (place === undefined || known === undefined) {
      places.set(key, all.length);
      all.push({ name, certificates, finding });
    } else all[place] = { ...known, certificates: known.certificates + certificates };
  }
  return all;
}

/** Returns `The text is encoded in UTF-16 instead of ASCII. (3 certificates)`. */
export const describeFinding = ({ finding, certificates }: FileFinding): string =>
  `${finding} (${certificates} ${certificates === 1 ? 'certificate' : 'certificates'})`;
