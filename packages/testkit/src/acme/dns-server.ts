// Name server for tests (RFC 1035), on a free loopback port over UDP and TCP. It responds from a table that the test
// can change at any time, and misbehaves where the table specifies a fault.
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { encodeResponse, MAX_UDP_BYTES, readQuestion, RCODE, type DnsRecord, type DnsType } from './dns-message.ts';

export type { DnsRecord } from './dns-message.ts';

/**
 * `silent` sends no response; `truncated` sets TC over UDP and then closes the TCP connection; `garbage` is not a DNS
 * message.
 */
export type DnsFault = 'servfail' | 'refused' | 'silent' | 'truncated' | 'garbage';

/**
 * Records by name. The key is a name (`www.example.test`) or a name and a type (`www.example.test CAA`), which takes
 * precedence. A name without an entry does not exist; an empty list is a name without records.
 */
export type DnsZone = Record<string, readonly DnsRecord[] | DnsFault>;

export interface DnsServerOptions {
  /**
   * Whether responses include the records at the end of a CNAME chain, like those of a recursive resolver; default:
   * true.
   */
  readonly chases?: boolean;
}

export interface DnsServer {
  readonly address: string;
  readonly port: number;
  readonly zone: DnsZone;
  /** All questions so far, as `name TYPE`. */
  readonly questions: readonly string[];
  close(): Promise<void>;
}

export async function startDnsServer(zone: DnsZone = {}, options: DnsServerOptions = {}): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  const responseFor = (query: Buffer, overUdp: boolean): Buffer | undefined => {
    const question = readQuestion(query);
    questions.push(`${question.name} ${question.type}`);
    const found = lookUp(zone, question, options.chases ?? true);
    if (found === 'silent') return undefined;
    if (found === 'garbage') return Buffer.from('not a DNS message');
    if (found === 'truncated') return overUdp ? encodeResponse(query, { truncated: true }) : undefined;
    const response = encodeResponse(query, typeof found === 'string' ? { rcode: RCODE[found] } : found);
    return overUdp && response.length > MAX_UDP_BYTES ? encodeResponse(query, { truncated: true }) : response;
  };
  socket.on('message', (query, from) => {
    const response = responseFor(query, true);
    if (response) socket.send(response, from.port, from.address);
  });
  const tcp = tcpListener((query) => responseFor(query, false));
  const port = await bindBoth(socket, tcp);
  return {
    address: '127.0.0.1',
    port,
    zone,
    questions,
    close: async () => {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Binds TCP and UDP to the same port, as resolvers expect after a truncated response (RFC 7766 §5). */
async function bindBoth(socket: ReturnType<typeof createSocket>, tcp: Server): Promise<number> {
  for (;;) {
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const bound = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind(port, '127.0.0.1', () => resolve(true));
    });
    if (bound) return port;
    await new Promise((resolve) => tcp.close(resolve));
  }
}

/** Creates a TCP server whose messages are preceded by a two-byte length (RFC 1035 §4.2.2). */
function tcpListener(answerTo: (query: Buffer) => Buffer | undefined): Server {
  return createServer((connection) => {
    let received: Buffer = Buffer.alloc(0);
    connection.on('error', () => connection.destroy());
    connection.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const response = answerTo(received.subarray(2, end));
        received = received.subarray(end);
        if (response === undefined) return connection.destroy();
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        connection.write(Buffer.concat([length, response]));
      }
      return undefined;
    });
  });
}

interface Question {
  readonly name: string;
  readonly type: DnsType;
}

interface Answer {
  readonly records: readonly (DnsRecord & { readonly name: string })[];
  readonly rcode?: number;
}

/** Maximum length of a CNAME chain in one response, so that a loop in the table ends. */
const MAX_CHAIN = 20;

function lookUp(zone: DnsZone, { name, type }: Question, chases: boolean): Answer | DnsFault {
  const records: (DnsRecord & { name: string })[] = [];
  for (let at = name, length = 0; length < MAX_CHAIN; length++) {
    const entry = zone[`${at} ${type}`] ?? zone[at];
    if (entry === undefined) return { records, rcode: RCODE.nxdomain };
    if (typeof entry === 'string') return entry;
    const alias = type === 'CNAME' ? undefined : entry.find((record) => record.type === 'CNAME');
    if (alias === undefined) {
      const matching = entry.filter((record) => record.type === type);
      return { records: [...records, ...matching.map((record) => ({ ...record, name: at }))] };
    }
    records.push({ ...alias, name: at });
    if (!chases) break;
    at = alias.target;
  }
  return { records };
}
