// A ZIP archive of one deflated file as a stream, so that nothing is held in memory. `yazl` writes the format, with the
// 64-bit extension where a size needs it; it reports neither that the contents failed nor that the reader left.
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export interface ZippedFile {
  readonly name: string;
  readonly modified: Date;
  readonly contents: AsyncIterable<Uint8Array>;
}

/** Fails when the contents fail; a reader that leaves ends the contents. */
export function zipArchive({ name, modified, contents }: ZippedFile): Readable {
  const file = Readable.from(contents, { objectMode: false });
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable; // declared as less: it is a PassThrough
  file.once('error', (error) => archive.destroy(error));
  archive.once('close', () => file.destroy());
  zip.addReadStream(file, name, { mtime: modified });
  zip.end();
  return archive;
}
