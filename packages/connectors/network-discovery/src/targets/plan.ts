// A scan as a numbered list that is never written out: the target of each number follows from the number, so that where
// a scan stands is one number too. Neighbours in the list are different hosts as far as there are several, because the
// hosts of one port come before the next port: no host has to answer all its ports at once.
import { addressAt, type HostEntry } from './hosts.ts';
import type { PortEntry, StartTlsProtocol } from './ports.ts';

export interface Target {
  /** A name or an address. */
  readonly host: string;
  readonly isName: boolean;
  readonly port: number;
  readonly startTls?: StartTlsProtocol | undefined;
  /** The name that is sent (SNI, RFC 6066 §3); none is sent when absent. */
  readonly serverName?: string | undefined;
  /**
   * Signature algorithms that are offered, in the words of OpenSSL: a server with several certificates shows one that
   * they fit. All when absent.
   */
  readonly signatures?: string | undefined;
}

export interface PlanFacts {
  readonly hosts: readonly HostEntry[];
  readonly ports: readonly PortEntry[];
  /** Names that every host is asked for too. */
  readonly serverNames?: readonly string[];
  /** Names are asked for without a server name too: what is served then may be another certificate. */
  readonly alsoWithoutName?: boolean;
}

export interface ScanPlan {
  readonly total: number;
  /** The target with a number from 0 to `total - 1`. */
  at(number: number): Target;
}

/** More takes weeks at any rate that networks bear. */
export const MAX_TARGETS = 50_000_000;

/** Consecutive hosts that are asked for the same server name. */
interface Lane {
  /** Position of the first in the list of all hosts of a port. */
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

/** The last lane that begins at or before a place. */
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
