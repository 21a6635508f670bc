// The messages that each protocol exchanges before TLS starts. Each exchange is as short as the protocol allows and
// reveals nothing else.
import type { StartTlsProtocol } from '../targets/ports.ts';
import { Conversation } from './conversation.ts';
import { ScanFailure } from './outcome.ts';
import type { Socket } from 'node:net';

type Negotiation = (conversation: Conversation, host: string) => Promise<void>;

/** Starts TLS. `host` is the name to send in protocols that support virtual hosts. */
export async function startTls(socket: Socket, protocol: StartTlsProtocol, host: string): Promise<void> {
  const conversation = new Conversation(socket);
  await NEGOTIATIONS[protocol](conversation, host);
  conversation.end();
}

const failStartTls = (): never => {
  throw new ScanFailure('noStartTls');
};

/**
 * Returns the lines of one SMTP (RFC 5321 §4.2.1) or FTP (RFC 959 §4.2) reply: in the last line, a space follows the
 * code.
 */
async function reply(conversation: Conversation, code: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const line = await conversation.line();
    lines.push(line);
    if (/^\d{3}(?: |$)/.test(line)) return line.startsWith(code) ? lines : failStartTls();
  }
}

/** RFC 3207. */
const smtp: Negotiation = async (conversation) => {
  await reply(conversation, '220');
  conversation.send('EHLO scan.invalid\r\n');
  const offers = await reply(conversation, '250');
  if (!offers.some((line) => /^250[ -]STARTTLS\s*$/i.test(line))) failStartTls();
  conversation.send('STARTTLS\r\n');
  await reply(conversation, '220');
};

/** RFC 9051 §6.2.1. */
const imap: Negotiation = async (conversation) => {
  if (!/^\* (?:OK|PREAUTH)/i.test(await conversation.line())) failStartTls();
  conversation.send('a1 STARTTLS\r\n');
  for (;;) {
    const line = await conversation.line();
    if (/^a1 OK/i.test(line)) return;
    if (!line.startsWith('* ')) failStartTls();
  }
};

/** RFC 2595 §4. */
const pop3: Negotiation = async (conversation) => {
  if (!(await conversation.line()).startsWith('+OK')) failStartTls();
  conversation.send('STLS\r\n');
  if (!(await conversation.line()).startsWith('+OK')) failStartTls();
};

/** RFC 4217 §4. */
const ftp: Negotiation = async (conversation) => {
  await reply(conversation, '220');
  conversation.send('AUTH TLS\r\n');
  await reply(conversation, '234');
};

/** RFC 4511 §4.14.1: ExtendedRequest 1.3.6.1.4.1.1466.20037 in message 1. */
const START_TLS_REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const EXTENDED_RESPONSE = 0x78;

/** The response is a SEQUENCE of message ID, response and result code. Lengths can be in short or long form. */
const ldap: Negotiation = async (conversation) => {
  conversation.send(START_TLS_REQUEST);
  if ((await conversation.octets(1))[0] !== 0x30) failStartTls();
  const body = await conversation.octets(await berLength(conversation));
  const place = body.indexOf(EXTENDED_RESPONSE);
  // The response is preceded by a one-byte INTEGER, the message ID, and its first member is a one-byte ENUMERATED.
  if (place < 3 || place > 6) failStartTls();
  const inner = body.subarray(place + 1);
  const first = (inner[0] ?? 0) < 0x80 ? 1 : 1 + ((inner[0] ?? 0) & 0x7f);
  if (inner[first] !== 0x0a || inner[first + 1] !== 1 || inner[first + 2] !== 0) failStartTls();
};

async function berLength(conversation: Conversation): Promise<number> {
  const [first = 0] = await conversation.octets(1);
  if (first < 0x80) return first;
  const count = first & 0x7f;
  if (count === 0 || count > 3) failStartTls();
  return (await conversation.octets(count)).readUIntBE(0, count);
}

/** SSLRequest (PostgreSQL documentation, Frontend/Backend Protocol, Message Formats). */
const postgresql: Negotiation = async (conversation) => {
  conversation.send(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
  if ((await conversation.octets(1)).toString('latin1') !== 'S') failStartTls();
};

const MYSQL_SSL = 0x0800;
/** CLIENT_SSL, CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION. */
const MYSQL_CAPABILITIES = 0x8a00;

/** Protocol::HandshakeV10 and Protocol::SSLRequest. */
const mysql: Negotiation = async (conversation) => {
  const header = await conversation.octets(4);
  const greeting = await conversation.octets(header.readUIntLE(0, 3));
  const versionEnd = greeting.indexOf(0, 1);
  // After the version: thread ID (4), first part of the salt (8), filler (1), lower capability flags (2).
  const capabilitiesAt = versionEnd + 1 + 4 + 8 + 1;
  if (greeting[0] !== 10 || versionEnd < 0 || greeting.length < capabilitiesAt + 2) failStartTls();
  if ((greeting.readUInt16LE(capabilitiesAt) & MYSQL_SSL) === 0) failStartTls();
  const request = Buffer.alloc(36);
  request.writeUIntLE(32, 0, 3);
  request[3] = 1;
  request.writeUInt32LE(MYSQL_CAPABILITIES, 4);
  request.writeUInt32LE(2 ** 24, 8);
  request[12] = 33; // utf8_general_ci
  conversation.send(request);
};

/** RFC 6120 §5.4. */
const xmpp: Negotiation = async (conversation, host) => {
  conversation.send(
    `<?xml version='1.0'?><stream:stream to='${host.replaceAll(/[^\w.:-]/g, '')}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`,
  );
  const features = await conversation.until(/<\/stream:features>|<stream:features\/>|<\/stream:stream>/);
  if (!/<starttls\b/.test(features)) failStartTls();
  conversation.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>");
  if (!/<proceed\b/.test(await conversation.until(/<(?:proceed|failure)\b[^>]*>(?:<\/(?:proceed|failure)>)?/)))
    failStartTls();
};

const NEGOTIATIONS: Readonly<Record<StartTlsProtocol, Negotiation>> = {
  smtp,
  imap,
  pop3,
  ldap,
  postgresql,
  mysql,
  ftp,
  xmpp,
};
