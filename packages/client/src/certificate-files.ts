// Files with certificates as requests of an import: small files as they are, large PEM files cut between their blocks.
// A piece remembers where it was, so that a report can name places in the file.
import type { CertificateImportReport } from '@signetry/contract';

export interface FilePiece {
  /** Of the file, for reports and the history. */
  readonly name: string;
  readonly content: string;
  /** Blocks and characters of the file before this piece. */
  readonly blocksBefore: number;
  readonly offset: number;
}

/** Characters of the content of one request; the platform takes bodies of 16 MiB. */
export const MAX_IMPORT_REQUEST = 6 * 1024 * 1024;
const MAX_FILES = 5_000;
const MAX_NAME = 300;
const BEGIN = '-----BEGIN ';

/** Text as it is, anything else in Base64. */
export function piecesOfFile(name: string, octets: Uint8Array): FilePiece[] {
  const text = new TextDecoder('latin1').decode(octets);
  if (text.includes('\0') || (text.startsWith('0') && !text.includes(BEGIN)))
    return [{ name: name.slice(-MAX_NAME), content: octets.toBase64(), blocksBefore: 0, offset: 0 }];
  return cut(text, name.slice(-MAX_NAME));
}

function cut(text: string, name: string): FilePiece[] {
  const pieces: FilePiece[] = [];
  let [from, blocksBefore] = [0, 0];
  while (text.length - from > MAX_IMPORT_REQUEST) {
    // The last block that begins within the bound; one that is longer alone stays whole, and is refused.
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

/** Gathers pieces into requests. */
export class ImportBatch {
  private pieces: FilePiece[] = [];
  private length = 0;

  /** The pieces to be sent before this one comes in; empty while there is room. */
  add(piece: FilePiece): readonly FilePiece[] {
    const isFull = this.length + piece.content.length > MAX_IMPORT_REQUEST || this.pieces.length === MAX_FILES;
    const full = isFull ? this.take() : [];
    this.pieces.push(piece);
    this.length += piece.content.length;
    return full;
  }

  /** What was gathered. */
  take(): readonly FilePiece[] {
    const { pieces } = this;
    this.pieces = [];
    this.length = 0;
    return pieces;
  }
}

export interface FileRefusal {
  readonly name: string;
  /** Number of the certificate in the file, and where it begins in the text. */
  readonly certificate?: number | undefined;
  readonly offset?: number | undefined;
  readonly reason: string;
}

/** What a request refused, by the places in its files. */
export const refusalsOf = (
  { refusals }: Pick<CertificateImportReport, 'refusals'>,
  pieces: readonly FilePiece[],
): FileRefusal[] =>
  refusals.map(({ file, certificate, offset, reason }) => {
    const { name = '', blocksBefore = 0, offset: before = 0 } = pieces[file - 1] ?? {};
    return {
      name,
      ...(certificate !== undefined && { certificate: certificate + blocksBefore }),
      ...(offset !== undefined && { offset: offset + before }),
      reason,
    };
  });

/** `certificate 7 at character 1200`; empty where the file as a whole is meant. */
export const wordsOfPlace = ({ certificate, offset }: FileRefusal): string =>
  [
    ...(certificate === undefined ? [] : [`certificate ${certificate}`]),
    ...(offset === undefined ? [] : [`at character ${offset}`]),
  ].join(' ');
