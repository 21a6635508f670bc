// Each protocol against a server that implements its part, and against servers that do not start TLS.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartTlsProtocol } from '../targets/ports.ts';
import {
  credentialsFor,
  startTlsServer,
  type Credentials,
  type Listening,
  type ServerReply,
} from '../testing/tls-servers.ts';
import { Politeness } from '@signetry/connector-sdk/discovery';
import { scanTarget } from './scan-target.ts';

const politeness = new Politeness({ ratePerSecond: 1e6, parallelPerHost: 100, ratePerHost: 1e6 });
const open: Listening[] = [];
afterAll(() => Promise.all(open.map((server) => server.close())));

let credentials: Credentials;
beforeAll(async () => {
  credentials = await credentialsFor('mail.example');
});

interface Behavior {
  readonly greeting?: string | Buffer;
  talk(text: string, sent: Buffer): ServerReply;
}

async function outcomeOf(startTls: StartTlsProtocol, behaviour: Behavior) {
  const server = await startTlsServer(credentials, behaviour);
  open.push(server);
  const { served, failures } = await scanTarget(
    { host: '127.0.0.1', isName: false, port: server.port, startTls, serverName: 'mail.example' },
    { timeoutMs: 700, politeness, signal: new AbortController().signal },
  );
  const [chain] = served.map((each) => each.chain.map((der) => Buffer.from(der).equals(credentials.leaf)));
  return chain ?? failures.map(({ kind }) => kind);
}

/** Responds according to the client's command; everything else ends the conversation. */
const respondByCommand =
  (table: Readonly<Record<string, ServerReply>>) =>
  (text: string): ServerReply =>
    Object.entries(table).find(([beginning]) => text.startsWith(beginning))?.[1] ?? { answer: `500 ${text}` };

const mysqlGreeting = (capabilities: number): Buffer => {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.36\0'),
    Buffer.alloc(4 + 8 + 1),
    Buffer.from([capabilities & 0xff, capabilities >> 8, 33, 2, 0, 0, 0]),
    Buffer.alloc(40),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
};
const LDAP_SUCCESS = Buffer.from('300c02010178070a010004000400', 'hex');
const STREAM = "<?xml version='1.0'?><stream:stream from='mail.example' version='1.0'>";

const SOUND: Readonly<Record<StartTlsProtocol, Behavior>> = {
  smtp: {
    greeting: '220-mail.example\r\n220 ready\r\n',
    talk: respondByCommand({
      EHLO: { answer: '250-mail.example\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME\r\n' },
      STARTTLS: { answer: '220 Go ahead\r\n', begin: true },
    }),
  },
  imap: {
    greeting: '* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n',
    talk: respondByCommand({ 'a1 STARTTLS': { answer: '* CAPABILITY x\r\na1 OK Begin TLS\r\n', begin: true } }),
  },
  pop3: { greeting: '+OK ready\r\n', talk: respondByCommand({ STLS: { answer: '+OK Begin TLS\r\n', begin: true } }) },
  ftp: {
    greeting: '220 ready\r\n',
    talk: respondByCommand({ 'AUTH TLS': { answer: '234 Proceed\r\n', begin: true } }),
  },
  ldap: { talk: () => ({ answer: LDAP_SUCCESS, begin: true }) },
  postgresql: {
    talk: (_text, sent) => ({ answer: sent.equals(Buffer.from('0000000804d2162f', 'hex')) ? 'S' : 'E', begin: true }),
  },
  mysql: {
    greeting: mysqlGreeting(0xffff),
    // The MySQL client does not wait for a response.
    talk: (_text, sent) => ({ answer: '', begin: sent[0] === 32 && sent[3] === 1, rest: sent.subarray(36) }),
  },
  xmpp: {
    talk: respondByCommand({
      '<?xml': {
        answer: `${STREAM}<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>`,
      },
      '<starttls': { answer: "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>", begin: true },
    }),
  },
};

describe('STARTTLS works for', () => {
  it.each(Object.entries(SOUND))('%s', async (protocol, behaviour) => {
    expect(await outcomeOf(protocol as StartTlsProtocol, behaviour)).toEqual([true]);
  });
});

describe('the failure is identified if a server', () => {
  it.each<[string, StartTlsProtocol, Behavior]>([
    ['does not offer it', 'smtp', { greeting: '220 x\r\n', talk: respondByCommand({ EHLO: { answer: '250 x\r\n' } }) }],
    ['refuses to talk', 'smtp', { greeting: '554 No\r\n', talk: respondByCommand({}) }],
    ['refuses the command', 'imap', { greeting: '* OK\r\n', talk: respondByCommand({ a1: { answer: 'a1 BAD\r\n' } }) }],
    ['is of another protocol', 'pop3', { greeting: '220 x\r\n', talk: respondByCommand({}) }],
    ['has no TLS', 'postgresql', { talk: () => ({ answer: 'N' }) }],
    ['has no TLS in its capabilities', 'mysql', { greeting: mysqlGreeting(0x8200), talk: respondByCommand({}) }],
    ['answers an error', 'ldap', { talk: () => ({ answer: Buffer.from('300c02010178070a010204000400', 'hex') }) }],
    ['offers other features', 'xmpp', { talk: () => ({ answer: `${STREAM}<stream:features></stream:features>` }) }],
    [
      'sends more than its answer before TLS',
      'smtp',
      {
        greeting: '220 x\r\n',
        talk: respondByCommand({
          EHLO: { answer: '250 STARTTLS\r\n' },
          STARTTLS: { answer: '220 Go ahead\r\n250 injected\r\n' },
        }),
      },
    ],
  ])('%s (%s)', async (_name, protocol, behaviour) => {
    expect(await outcomeOf(protocol, behaviour)).toEqual(['noStartTls']);
  });

  it.each<[string, StartTlsProtocol, Behavior, string]>([
    ['greets without end', 'smtp', { greeting: '220-x\r\n'.repeat(100_000), talk: respondByCommand({}) }, 'tooMuch'],
    [
      'greets in one endless line',
      'imap',
      { greeting: '* OK '.repeat(100_000), talk: respondByCommand({}) },
      'tooMuch',
    ],
    ['says nothing', 'ftp', { talk: respondByCommand({}) }, 'stalled'],
    [
      'claims an answer of megabytes',
      'ldap',
      { talk: () => ({ answer: Buffer.from('3083ffffff00', 'hex') }) },
      'stalled',
    ],
  ])('%s (%s)', async (_name, protocol, behaviour, kind) => {
    expect(await outcomeOf(protocol, behaviour)).toEqual([kind]);
  });
});
