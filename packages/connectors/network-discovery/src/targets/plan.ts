// A scan as a numbered list of targets. The list is never materialized: each target is computed from its number, so a
// single number also represents the scan's progress. All hosts are scanned on one port before the next, so adjacent
// targets are usually different hosts and no host has to respond on all its ports simultaneously.
import { addressAt, type HostEntry } from './hosts.ts';
import type { PortEntry, StartTlsProtocol } from './ports.ts';

export interface Target {
  /** Name or address. */
  readonly host: string;
  readonly isName: boolean;
  readonly port: number;
  readonly startTls?: StartTlsProtocol | undefined;
  /** Server name to send (SNI, RFC 6066 §3). If absent, none is sent. */
  readonly serverName?: string | undefined;
  /**
   * Signature algorithms to offer, in OpenSSL syntax: a server with multiple certificates presents a matching one. All
   * if absent.
   */
  readonly signatures?: string | undefined;
}

export interface PlanFacts {
  readonly hosts: readonly HostEntry[];
  readonly ports: readonly PortEntry[];
  /** Additional server names to request from every host. */
  readonly serverNames?: readonly string[];
  /**
   * Whether hosts specified by name are also contacted without a server name, since they may then present a different
   * certificate.
   */
  readonly alsoWithoutName?: boolean;
}

export interface ScanPlan {
  readonly total: number;
  /** Returns the target with a number from 0 to `total - 1`. */
  at(number: number): Target;
}

/** More targets would take weeks at any rate that networks tolerate. */
export const MAX_TARGETS = 50_000_000;

/** Consecutive hosts to contact with the same server name. */
interface Lane {
  /** Position of the first host in the list of all hosts of a port. */
  readonly start: number;
  readonly entry: HostEntry;
  readonly serverName: string | undefined;
}

export function createPlan({ hosts, ports, serverNames = [], alsoWithoutName = false }: PlanFacts): ScanPlan {
  const lanes: Lane[] = [];
  let width = 0;
  for (const entry of hosts) {
    for (const serverName of namesFor(entry, serverNames, alsoWithoutName)) {
      lanes.push({ start: width, entry, serverName });
      width += entry.kind === 'name' ? 1 : entry.count;
    }
  }
  return {
    total: width * ports.length,
    at(number) {
      const port = ports[Math.floor(number / width)];
      const place = number % width;
      const lane = laneAt(lanes, place);
      if (!port || !lane) throw new RangeError(`The plan has no target ${number}.`);
      return targetOf(lane, place - lane.start, port);
    },
  };
}

function namesFor(
  entry: HostEntry,
  serverNames: readonly string[],
  alsoWithoutName: boolean,
): readonly (string | undefined)[] {
  if (entry.kind === 'addresses') return [undefined, ...serverNames];
  const others = serverNames.filter((name) => name !== entry.name);
  return [entry.name, ...(alsoWithoutName ? [undefined] : []), ...others];
}

/** Returns the last lane that starts at or before a position. */
function laneAt(lanes: readonly Lane[], place: number): Lane | undefined {
  let [low, high] = [0, lanes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lanes[middle]?.start ?? Infinity) <= place) low = middle;
    else high = middle - 1;
  }
  return lanes[low];
}

function targetOf({ entry, serverName }: Lane, offset: number, { port, startTls }: PortEntry): Target {
  const host = entry.kind === 'name' ? entry.name : addressAt(entry.first, offset);
  return { host, isName: entry.kind === 'name', port, startTls, serverName };
}
