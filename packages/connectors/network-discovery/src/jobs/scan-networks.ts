// Runs a network discovery as a job in which each target is one step.
import { rejectIf, rejected, type ConnectorContext } from '@signetry/connector-sdk';
import { Politeness, type DiscoveryOutcome, type Counts, type CreateKind } from '@signetry/connector-sdk/discovery';
import { planOf, readScanSpec, scanAttributes, type ScanSpec } from '../attributes/scan-attributes.ts';
import { certificateMetadata, discoveryMetadata } from '../present-discovery.ts';
import { FAILURE_TEXTS, type FailureKind } from '../scan/outcome.ts';
import { runScan } from '../scan/run-scan.ts';
import type { ScanOptions } from '../scan/scan-target.ts';
import { boundsOf, parseHosts } from '../targets/hosts.ts';
import { findingOf, type ScanCheckpoint, type Sighting } from './finding.ts';

export const scanNetworks: CreateKind<ScanSpec, ScanCheckpoint, Sighting> = (context) => ({
  attributes: () => scanAttributes(),
  accept(attributes) {
    const wish = readScanSpec(attributes);
    rejectForbidden(context, wish);
    return { wish, checkpoint: { next: 0, total: planOf(wish).total } };
  },
  async run({ wish, checkpoint: { next: from, total }, signal, room, done, stored }) {
    await runScan({
      plan: planOf(wish),
      from,
      parallel: wish.parallel,
      options: optionsOf(context, wish, signal),
      room: (number) => room(number - from),
      onResult(number, result) {
        const { outcome, certificates } = findingOf(result);
        done(number - from, { checkpoint: { next: number + 1, total }, counts: { [outcome]: 1 }, certificates });
      },
    });
    return conclusionOf(await stored());
  },
  metadata: discoveryMetadata,
  certificateMetadata,
});

/** Rejects forbidden addresses immediately. Host names are checked when they are resolved. */
function rejectForbidden({ egress }: ConnectorContext, wish: ScanSpec): void {
  if (!egress) throw rejected('The host of this connector does not allow outgoing connections.');
  rejectIf(
    boundsOf(parseHosts(wish.hosts).hosts).flatMap((address) => {
      try {
        egress.assertAddress(address, { address });
        return [];
      } catch (error) {
        return error instanceof Error ? [error.message] : [];
      }
    }),
  );
}

const optionsOf = ({ egress }: ConnectorContext, wish: ScanSpec, signal: AbortSignal): ScanOptions => ({
  timeoutMs: wish.timeoutSeconds * 1000,
  politeness: new Politeness(wish),
  signal,
  assertAddress: (host, target) => {
    if (!egress) throw new Error('The host of this connector does not allow outgoing connections.');
    egress.assertAddress(host, target);
  },
});

const conclusionOf = (counts: Counts): DiscoveryOutcome => ({
  status: (counts['notAllowed'] ?? 0) + (counts['ownListener'] ?? 0) > 0 ? 'warning' : 'completed',
  reason: reasonOf(counts),
});

/**
 * Returns the reasons why targets presented no certificates, most frequent first, or null if all targets presented
 * some.
 */
function reasonOf(counts: Counts): string | null {
  const failures = Object.entries(counts)
    .filter(([outcome]) => outcome !== 'served')
    .toSorted(([, one], [, other]) => other - one)
    // All other counts are failures.
    .map(([outcome, count]) => `${FAILURE_TEXTS[outcome as FailureKind]} (${count})`);
  return failures.length === 0 ? null : failures.join('; ');
}
