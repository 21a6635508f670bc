// A ZIP archive of one deflated file as a stream, so that it is never held in memory. `yazl` writes the format, with
// the 64-bit extension if a size requires it; it does not report failed contents or a disconnected reader.
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZippedFile {
  readonly name: string;
  readonly modified: Date;
  readonly contents: AsyncIterable<Uint8Array>;
}

/** Returns a stream that fails if the contents fail; a disconnected reader ends the contents. */
export function zipArchive({ name, modified, contents }: ZippedFile): Readable {
  const file = Readable.from(contents, { objectMode: false });
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable; // Declared with a broader type; it is a PassThrough.
  file.once('error', (error) => archive.destroy(error));
  archive.once('close', () => file.destroy());
  zip.addReadStream(file, name, { mtime: modified });
  zip.end();
  return archive;
}
