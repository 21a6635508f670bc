// Entries in settings that list hosts: `db.example`, `10.0.0.1`, `127.0.0.1:9000`, `[::1]:9000`. Pure.
import { isIP } from 'node:net';

export interface ListedHost {
  /** Name in lowercase, or address without brackets. */
  readonly host: string;
  /** Absent if the entry does not specify a port. */
  readonly port: number | undefined;
}

export interface HostTarget {
  readonly host: string;
  readonly address: string;
  /** 0 if the port is not known yet; any listed port then matches. */
  readonly port: number;
}

const DEFAULT_PORTS: readonly number[] = [80, 443];
const MAX_PORT = 65_535;

/** Returns undefined if the port is not valid. */
export function parseListedHost(entry: string): ListedHost | undefined {
  const bare = isIP(entry) === 0 ? (/^\[([^\]]*)\](?::(.*))?$/.exec(entry) ?? /^([^:]*)(?::(.*))?$/.exec(entry)) : null;
  const [, host = entry, port] = bare ?? [];
  if (port === undefined) return { host: host.toLowerCase(), port: undefined };
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number >= 1 && number <= MAX_PORT ? { host: host.toLowerCase(), port: number } : undefined;
}

/** Returns whether the list contains the host, by name or address, with this port or without a port. */
export const listsTarget = (list: readonly ListedHost[], target: HostTarget): boolean =>
  entriesOf(list, target).some(({ port }) => port === undefined || target.port === 0 || port === target.port);

/** Like `listsTarget`, but an entry without a port matches only the default ports for http and https. */
export const listsPortOfTarget = (list: readonly ListedHost[], target: HostTarget): boolean =>
  entriesOf(list, target).some(
    ({ port }) =>
      target.port === 0 || (port === undefined ? DEFAULT_PORTS.includes(target.port) : port === target.port),
  );

function entriesOf(list: readonly ListedHost[], { host, address }: HostTarget): readonly ListedHost[] {
  const names = [host.toLowerCase().replace(/^\[(.*)\]$/, '$1'), address.toLowerCase()];
  return list.filter((entry) => names.includes(entry.host));
}
