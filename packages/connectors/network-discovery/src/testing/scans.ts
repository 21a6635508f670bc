// Scans started by tests, and their progress.
import type { ConnectorEgress } from '@signetry/connector-sdk';
import { metaOf, start, type TestDiscovery } from '@signetry/testkit/discovery';
import { DISCOVERY_METADATA, SCAN } from '../index.ts';
import type { Listening } from './tls-servers.ts';

/** 127.0.0.9 stands for a blocked address, 127.0.0.11 for a listener of the host. */
export const egress: ConnectorEgress = {
  assertAddress: (_host, { address }) => {
    if (address === '127.0.0.11') throw Object.assign(new Error('A listener.'), { reason: 'ownListener' });
    if (address === '127.0.0.9') throw new Error('Scanning 127.0.0.9 is not allowed.');
  },
};

/** Starts a discovery of 60 targets on one server at 40 per second, so that it can be ended midway. */
export async function startSlowDiscovery(from: TestDiscovery, { port }: Pick<Listening, 'port'>): Promise<string> {
  const { uuid } = await start(from, {
    [SCAN.hosts]: Array.from({ length: 60 }, () => '127.0.0.1').join(),
    [SCAN.ports]: String(port),
    [SCAN.ratePerSecond]: 40,
    [SCAN.ratePerHost]: 40,
    [SCAN.parallel]: 4,
  });
  return uuid;
}

export const servedCountOf = (answer: Parameters<typeof metaOf>[0]): number =>
  Number(metaOf(answer, DISCOVERY_METADATA.served)?.[0]);
