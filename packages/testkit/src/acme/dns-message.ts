// DNS messages as far as a test server needs them (RFC 1035 §4.1): one question in, records out, names without
// compression.

export type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly type: 'CNAME'; readonly target: string }
  /** Strings of at most 255 octets each. */
  | { readonly type: 'TXT'; readonly strings: readonly string[] }
  | { readonly type: 'CAA'; readonly flags?: number; readonly tag: string; readonly value: string };

export type DnsType = DnsRecord['type'];

/** What fits into one datagram for a client that says nothing else (RFC 1035 §4.2.1). */
export const MAX_UDP_BYTES = 512;

export const RCODE = { servfail: 2, nxdomain: 3, refused: 5 } as const;

const TYPE_NUMBERS: Readonly<Record<DnsType, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 };
const HEADER_BYTES = 12;
const CLASS_IN = 1;
/** A day: a cache anywhere on the way would show. */
const TTL_SECONDS = 86_400;
/** Response, recursion desired and available. */
const RESPONSE_FLAGS = 0x8180;
const TRUNCATED_FLAG = 0x0200;

export function readQuestion(query: Buffer): { readonly name: string; readonly type: DnsType } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = query.readUInt16BE(at + 1);
  const type = (Object.keys(TYPE_NUMBERS) as DnsType[]).find((known) => TYPE_NUMBERS[known] === number);
  if (type === undefined) throw new Error(`The test name server knows no records of type ${number}.`);
  return { name: labels.join('.').toLowerCase(), type };
}

export interface DnsResponse {
  readonly records?: readonly (DnsRecord & { readonly name: string })[];
  readonly rcode?: number;
  readonly truncated?: boolean;
}

export function encodeResponse(query: Buffer, { records = [], rcode = 0, truncated = false }: DnsResponse): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2); // the identifier of the question
  header.writeUInt16BE(RESPONSE_FLAGS | rcode | (truncated ? TRUNCATED_FLAG : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
  return Buffer.concat([header, question, ...records.map(encodeRecord)]);
}

function encodeRecord(record: DnsRecord & { readonly name: string }): Buffer {
  const content = recordContent(record);
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(TYPE_NUMBERS[record.type], 0);
  fields.writeUInt16BE(CLASS_IN, 2);
  fields.writeUInt32BE(TTL_SECONDS, 4);
  fields.writeUInt16BE(content.length, 8);
  return Buffer.concat([encodeName(record.name), fields, content]);
}

function recordContent(record: DnsRecord): Buffer {
  switch (record.type) {
    case 'A':
      return Buffer.from(record.address.split('.').map(Number));
    case 'AAAA':
      return encodeIpv6(record.address);
    case 'CNAME':
      return encodeName(record.target);
    case 'TXT':
      return Buffer.concat(record.strings.map(encodeString));
    case 'CAA':
      return Buffer.concat([
        Buffer.of(record.flags ?? 0),
        encodeString(record.tag),
        Buffer.from(record.value, 'latin1'),
      ]);
  }
}

function encodeName(name: string): Buffer {
  return Buffer.concat([...name.split('.').map(encodeString), Buffer.of(0)]);
}

function encodeString(text: string): Buffer {
  const octets = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.of(octets.length), octets]);
}

/** Sixteen octets of hexadecimal groups, with or without a shortened run of zeros. */
function encodeIpv6(text: string): Buffer {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
