// DNS messages for a test server: one question in, records out. `dns-packet` decodes and encodes them.
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED, TRUNCATED_RESPONSE, type Answer } from 'dns-packet';

export type DnsRecord =
  | { readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly type: 'CNAME'; readonly target: string }
  /** Strings of at most 255 bytes each. */
  | { readonly type: 'TXT'; readonly strings: readonly string[] }
  | { readonly type: 'CAA'; readonly flags?: number; readonly tag: string; readonly value: string };

export type DnsType = DnsRecord['type'];

/** Maximum datagram size without EDNS (RFC 1035 §4.2.1). */
export const MAX_UDP_BYTES = 512;

export const RCODE = { servfail: 2, nxdomain: 3, refused: 5 } as const;

const KNOWN_TYPES: readonly string[] = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] satisfies DnsType[];
/** TTL of one day, so that any caching would be noticed. */
const TTL_SECONDS = 86_400;

export function readQuestion(query: Buffer): { readonly name: string; readonly type: DnsType } {
  const [question] = decode(query).questions ?? [];
  if (!question || !isKnownType(question.type))
    throw new Error(`The test name server does not support records of type ${question?.type}.`);
  return { name: question.name.toLowerCase(), type: question.type };
}

const isKnownType = (type: string): type is DnsType => KNOWN_TYPES.includes(type);

export interface DnsResponse {
  readonly records?: readonly (DnsRecord & { readonly name: string })[];
  readonly rcode?: number;
  readonly truncated?: boolean;
}

export function encodeResponse(query: Buffer, { records = [], rcode = 0, truncated = false }: DnsResponse): Buffer {
  const { id, questions } = decode(query);
  return encode({
    type: 'response',
    id,
    // The lowest four bits are the response code (RFC 1035 §4.1.1).
    flags: RECURSION_DESIRED | RECURSION_AVAILABLE | (truncated ? TRUNCATED_RESPONSE : 0) | rcode,
    questions,
    answers: records.map(answerOf),
  });
}

function answerOf(record: DnsRecord & { readonly name: string }): Answer {
  const { name } = record;
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { name, type: record.type, ttl: TTL_SECONDS, data: record.address };
    case 'CNAME':
      return { name, type: record.type, ttl: TTL_SECONDS, data: record.target };
    case 'TXT':
      return { name, type: record.type, ttl: TTL_SECONDS, data: [...record.strings] };
    case 'CAA': {
      const { flags, value } = record;
      const tag = record.tag as 'issue'; // the declared type allows three tags; the encoder accepts any
      return { name, type: record.type, ttl: TTL_SECONDS, data: { flags, tag, value } };
    }
  }
}
