// Streams a ZIP archive with one deflated file, so that it is never held in memory. `yazl` writes the format, using the
// 64-bit extension if a size requires it. It does not report contents that fail or a reader that disconnects.
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZippedFile {
  readonly name: string;
  readonly modified: Date;
  readonly contents: AsyncIterable<Uint8Array>;
}

/** Returns a stream that fails if reading the contents fails. If the reader disconnects, the contents are closed. */
export function zipArchive({ name, modified, contents }: ZippedFile): Readable {
  const file = Readable.from(contents, { objectMode: false });
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable; // The stream is declared with a broader type, but it is a PassThrough.
  file.once('error', (error) => archive.destroy(error));
  archive.once('close', () => file.destroy());
  zip.addReadStream(file, name, { mtime: modified });
  zip.end();
  return archive;
}
