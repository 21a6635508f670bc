// Entries of settings that list hosts: `db.example`, `10.0.0.1`, `127.0.0.1:9000`, `[::1]:9000`. Pure.
import { isIP } from 'node:net';

export interface ListedHost {
  /** A name in lower case, or an address without brackets. */
  readonly host: string;
  /** Absent where the entry lists no port. */
  readonly port: number | undefined;
}

export interface HostTarget {
  readonly host: string;
  readonly address: string;
  /** 0 where it is not decided yet: any port that is listed will do. */
  readonly port: number;
}

const DEFAULT_PORTS: readonly number[] = [80, 443];
const MAX_PORT = 65_535;

/** Undefined where the port is none. */
export function parseListedHost(entry: string): ListedHost | undefined {
  const bare = isIP(entry) === 0 ? (/^\[([^\]]*)\](?::(.*))?$/.exec(entry) ?? /^([^:]*)(?::(.*))?$/.exec(entry)) : null;
  const [, host = entry, port] = bare ?? [];
  if (port === undefined) return { host: host.toLowerCase(), port: undefined };
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number >= 1 && number <= MAX_PORT ? { host: host.toLowerCase(), port: number } : undefined;
}

/** Whether a list has the host, by its name or its address, with this port or without any. */
export const listsTarget = (list: readonly ListedHost[], target: HostTarget): boolean =>
  entriesOf(list, target).some(({ port }) => port === undefined || target.port === 0 || port === target.port);

/** The same, but an entry without a port means the default ports of http and https. */
export const listsPortOfTarget = (list: readonly ListedHost[], target: HostTarget): boolean =>
  entriesOf(list, target).some(
    ({ port }) =>
      target.port === 0 || (port === undefined ? DEFAULT_PORTS.includes(target.port) : port === target.port),
  );

function entriesOf(list: readonly ListedHost[], { host, address }: HostTarget): readonly ListedHost[] {
  const names = [host.toLowerCase().replace(/^\[(.*)\]$/, '$1'), address.toLowerCase()];
  return list.filter((entry) => names.includes(entry.host));
}
