// Writes a ZIP archive (PKWARE APPNOTE 6.3) of one deflated file as a stream: sizes follow the data in a descriptor, so
// nothing is held in memory. Without the 64-bit extension, which not every reader of streams knows.
import { pipeline, Readable } from 'node:stream';
import { createDeflateRaw, crc32 } from 'node:zlib';

const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const VERSION = 20;
const DEFLATED = 8;
/** Bit 3: sizes in the descriptor; bit 11: the name is UTF-8. */
const FLAGS = 0x0808;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const DESCRIPTOR_BYTES = 16;
/** Sizes are 32-bit numbers. */
const MAX_BYTES = 0xffff_ffff;

export interface ZippedFile {
  readonly name: string;
  readonly modified: Date;
  readonly contents: AsyncIterable<Uint8Array>;
}

export async function* zipArchive({ name, modified, contents }: ZippedFile): AsyncGenerator<Uint8Array> {
  const nameBytes = Buffer.from(name, 'utf8');
  const sums = { crc: 0, size: 0, packed: 0 };
  const [time, date] = dosTime(modified);
  const shared = { time, date, nameBytes };

  yield header({ ...shared, central: false, sums });
  async function* measured() {
    for await (const chunk of contents) {
      sums.crc = crc32(chunk, sums.crc);
      sums.size += chunk.length;
      if (sums.size > MAX_BYTES) throw new RangeError('The file is too large for a ZIP archive; narrow the filter.');
      yield chunk;
    }
  }
  const deflate = createDeflateRaw();
  // A failure of either side ends the other; the loop below throws it.
  pipeline(Readable.from(measured(), { objectMode: false }), deflate, () => undefined);
  for await (const chunk of deflate) {
    const bytes = chunk as Buffer; // the deflater is not in object mode
    sums.packed += bytes.length;
    yield bytes;
  }
  yield descriptor(sums);

  const directory = header({ ...shared, central: true, sums });
  const offset = LOCAL_HEADER_BYTES + nameBytes.length + sums.packed + DESCRIPTOR_BYTES;
  yield directory;
  yield endOfDirectory({ size: directory.length, offset });
}

interface Sums {
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
}

/** The two headers share their middle part; the one in the directory knows the sizes. */
function header(facts: { time: number; date: number; nameBytes: Buffer; central: boolean; sums: Sums }): Buffer {
  const { time, date, nameBytes, central, sums } = facts;
  const bytes = Buffer.alloc(central ? CENTRAL_HEADER_BYTES : LOCAL_HEADER_BYTES);
  let at = bytes.writeUInt32LE(central ? CENTRAL_HEADER : LOCAL_HEADER, 0);
  if (central) at = bytes.writeUInt16LE(VERSION, at);
  for (const field of [VERSION, FLAGS, DEFLATED, time, date]) at = bytes.writeUInt16LE(field, at);
  for (const field of central ? [sums.crc, sums.packed, sums.size] : [0, 0, 0]) at = bytes.writeUInt32LE(field, at);
  bytes.writeUInt16LE(nameBytes.length, at);
  return Buffer.concat([bytes, nameBytes]);
}

function descriptor(sums: Sums): Buffer {
  const bytes = Buffer.alloc(DESCRIPTOR_BYTES);
  let at = 0;
  for (const field of [DESCRIPTOR, sums.crc, sums.packed, sums.size]) at = bytes.writeUInt32LE(field, at);
  return bytes;
}

function endOfDirectory({ size, offset }: { size: number; offset: number }): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(END_OF_DIRECTORY, 0);
  bytes.writeUInt16LE(1, 8);
  bytes.writeUInt16LE(1, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}

/** MS-DOS time and date, in UTC; years begin at 1980. */
function dosTime(moment: Date): readonly [number, number] {
  const time = (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);
  const year = Math.max(0, moment.getUTCFullYear() - 1980);
  return [time, (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate()];
}
