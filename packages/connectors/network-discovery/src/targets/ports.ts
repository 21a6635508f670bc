// Scan ports as entered by users: `443, 8000-8100, 2525/smtp`. The suffix specifies how TLS starts. Without a suffix,
// the port's default protocol applies.

/** Protocols that start TLS with a command such as STARTTLS. */
export const START_TLS_PROTOCOLS = ['smtp', 'imap', 'pop3', 'ldap', 'postgresql', 'mysql', 'ftp', 'xmpp'] as const;
export type StartTlsProtocol = (typeof START_TLS_PROTOCOLS)[number];

export interface PortEntry {
  readonly port: number;
  /** Absent if TLS starts immediately. */
  readonly startTls?: StartTlsProtocol;
}

const BY_PORT: ReadonlyMap<number, StartTlsProtocol> = new Map([
  [21, 'ftp'],
  [25, 'smtp'],
  [587, 'smtp'],
  [110, 'pop3'],
  [143, 'imap'],
  [389, 'ldap'],
  [3306, 'mysql'],
  [5222, 'xmpp'],
  [5269, 'xmpp'],
  [5432, 'postgresql'],
]);

/** HTTPS. */
export const DEFAULT_PORTS = '443';

const MAX_PORT = 65_535;

/** `tls`: TLS starts immediately, regardless of the port's default protocol. */
type TlsStart = StartTlsProtocol | 'tls' | undefined;

export interface ParsedPorts {
  readonly ports: readonly PortEntry[];
  readonly problems: readonly string[];
}

/** `begin` applies to entries without a suffix. */
export function parsePorts(text: string, begin?: TlsStart): ParsedPorts {
  const found = new Map<number, PortEntry>();
  const problems: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const [, from = '', to = from, suffix] = /^(\d{1,5})(?:-(\d{1,5}))?(?:\/([a-z0-9]+))?$/.exec(word) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === '' || first < 1 || last > MAX_PORT || first > last || !isTlsStart(suffix)) {
      problems.push(
        `"${word.slice(0, 80)}" must be a port or a range such as 8000-8100, optionally followed by /tls, ${START_TLS_PROTOCOLS.map((each) => `/${each}`).join(', ')}.`,
      );
      continue;
    }
    for (let port = first; port <= last; port += 1) {
      const entry = entryOf(port, suffix ?? begin);
      found.set(keyOf(entry), entry);
    }
  }
  return { ports: [...found.values()], problems };
}

export const allPorts = (begin?: TlsStart): readonly PortEntry[] =>
  Array.from({ length: MAX_PORT }, (_, index) => entryOf(index + 1, begin));

/** Encodes port and protocol as a single number, because lists can contain tens of thousands of entries. */
const keyOf = ({ port, startTls }: PortEntry): number =>
  port * (START_TLS_PROTOCOLS.length + 1) + (startTls ? START_TLS_PROTOCOLS.indexOf(startTls) + 1 : 0);

const isTlsStart = (text: string | undefined): text is TlsStart =>
  text === undefined || text === 'tls' || (START_TLS_PROTOCOLS as readonly string[]).includes(text);

function entryOf(port: number, begin: TlsStart): PortEntry {
  const startTls = begin === 'tls' ? undefined : (begin ?? BY_PORT.get(port));
  return startTls ? { port, startTls } : { port };
}
