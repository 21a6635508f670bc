// Downloads that certificates ask for: CRLs, OCSP answers, certificates of issuers. Through the egress gate, bounded in
// size, time and number for each host; never led elsewhere by a redirect. A host that hangs is left alone for a while.
import { fetch, type Dispatcher } from 'undici';
import { EgressError } from '../../platform/net/egress.ts';
import type { Platform } from '../../platform/platform.ts';

const TIMEOUT_S = 10;
/** Of one host at a time; others wait for their turn. */
const MAX_PER_HOST = 4;
/** How long what failed is not asked again. */
export const FAILURE_MS = 10 * 60_000;
/** A host that did not answer is not asked for anything; shorter, since much depends on it. */
const HANGING_MS = 60_000;
/** A million entries of a CRL take some 40 MB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Why nothing usable was downloaded, in words that complete "<address> …". Never repeats what was answered. */
export class OutsideFault extends Error {}

export interface OutsideRequest {
  readonly maxBytes: number;
  readonly accept: string;
  /** Posted with its media type; without it the address is read. */
  readonly body?: { readonly type: string; readonly octets: Uint8Array };
}

export interface FetchOutside {
  /** Throws `OutsideFault`. */
  (address: string, request: OutsideRequest): Promise<Uint8Array>;
}

export function createFetchOutside({
  egress,
  giveUp,
  clock,
}: Pick<Platform, 'egress' | 'giveUp' | 'clock'>): FetchOutside {
  let dispatcher: Dispatcher | undefined;
  const connections = (): Dispatcher =>
    (dispatcher ??= egress.dispatcher({ totalTimeoutMs: TIMEOUT_S * 1000, maxResponseBytes: MAX_RESPONSE_BYTES }));
  const lanes = createLanes(MAX_PER_HOST);
  const hanging = new Map<string, number>();

  async function download(url: URL, { maxBytes, accept, body }: OutsideRequest): Promise<Uint8Array> {
    const signal = AbortSignal.any([giveUp, AbortSignal.timeout(TIMEOUT_S * 1000)]);
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.octets.slice() }),
      redirect: 'manual',
      dispatcher: connections(),
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new OutsideFault(`answered with status ${response.status}`);
    }
    return bounded(response.body ?? [], maxBytes);
  }

  return async (address, request) => {
    const url = assertUrl(egress, address);
    const until = hanging.get(url.host) ?? 0;
    if (until > clock.monotonicMs()) throw new OutsideFault('did not answer a moment ago');
    hanging.delete(url.host);
    return lanes.run(url.host, async () => {
      // What waited behind a host that hangs does not try one after the other.
      if ((hanging.get(url.host) ?? 0) > clock.monotonicMs()) throw new OutsideFault('did not answer a moment ago');
      try {
        return await download(url, request);
      } catch (error) {
        if (isTimeout(error)) hanging.set(url.host, clock.monotonicMs() + HANGING_MS);
        throw faultOf(error);
      }
    });
  };
}

function assertUrl(egress: Platform['egress'], address: string): URL {
  try {
    return egress.assertUrl(address);
  } catch (error) {
    throw faultOf(error);
  }
}

async function bounded(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new OutsideFault(`answered with more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const isTimeout = (error: unknown): boolean =>
  causesOf(error).some((each) => /Timeout/i.test(each.name) || ('code' in each && /TIMEOUT/.test(String(each.code))));

function faultOf(error: unknown): OutsideFault {
  if (error instanceof OutsideFault) return error;
  const refusal = causesOf(error).find((each) => each instanceof EgressError);
  if (refusal) return new OutsideFault(`may not be reached: ${refusal.message}`, { cause: error });
  return new OutsideFault(isTimeout(error) ? `did not answer within ${TIMEOUT_S} s` : 'cannot be reached', {
    cause: error,
  });
}

/** The error itself and what it came from. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 8; each = each.cause) causes.push(each);
  return causes;
}

/** A bound on what is asked of one host at a time; what comes beyond it waits for its turn. */
interface HostLanes {
  run<Answer>(host: string, ask: () => Promise<Answer>): Promise<Answer>;
}

function createLanes(slots: number): HostLanes {
  const lanes = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    async run(host, ask) {
      const lane = lanes.get(host) ?? { running: 0, waiting: [] };
      lanes.set(host, lane);
      if (lane.running === slots) await new Promise<void>((resolve) => lane.waiting.push(resolve));
      else lane.running += 1;
      try {
        return await ask();
      } finally {
        // The slot goes to whoever waits, or is free.
        const next = lane.waiting.shift();
        if (next) next();
        else lane.running -= 1;
        if (lane.running === 0) lanes.delete(host);
      }
    },
  };
}
