// Background work: a new CRL after every revocation, the next CRL before the last one ends, the next responder
// certificate before the last one ends. Every piece is safe to repeat and to do on several nodes at once.
import { setTimeout as delay } from 'node:timers/promises';
import { findRevoked, parseCertificate, type Certificate } from '@signetry/pki';
import type { EventPayloads } from '../../platform/events/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import type { PublishedCrl, PublishedCrls } from './crl/published-crls.ts';
import type { CrlRefresher } from './crl/refresh-crl.ts';
import { crlRefreshAtMs } from './domain.ts';
import type { ResponderRenewer } from './ocsp/renew-responder.ts';
import type { Responders } from './ocsp/responders.ts';
import type { RevocationPorts } from './ports.ts';
import * as store from './store.ts';
import { findFailedDuties } from './store-duties.ts';
import type { CrlFacts } from './tables.ts';

/** Revocations that come within this time share a CRL. The first one does not wait. */
const CRL_DEBOUNCE_MS = 1_000;

/** A revocation waits for so long while another node fetches, whose list may be too old for it. */
const WAIT_FOR_OTHER_NODE_MS = 60_000;

/** Authorities looked after at the same time: one that hangs must not hold up the others. */
const CONCURRENCY = 4;

const REVOKED_QUEUE = 'revocation-revoked';
const SCHEDULE_QUEUE = 'revocation-schedule';

export interface JobParts {
  readonly platform: Platform;
  readonly ports: RevocationPorts;
  readonly published: PublishedCrls;
  readonly responders: Responders;
  readonly refresh: CrlRefresher;
  readonly renewResponder: ResponderRenewer;
}

type RevokedEvent = EventPayloads['certificate_revoked'];

export type RevocationJobs = ReturnType<typeof createJobs>;

export function createJobs(parts: JobParts) {
  const { platform, ports, published, responders, refresh, renewResponder } = parts;
  const { database, clock, events, jobs, log } = platform;
  /** When this node last fetched for an authority because of a revocation, by the monotonic clock. */
  const lastFetchMs = new Map<string, number>();

  /** Ends when the certificate is in the published CRL of its authority; an error makes the job come again. */
  async function afterRevocation(event: RevokedEvent, signal: AbortSignal): Promise<void> {
    const ownAuthority = await store.removeResponderByCertificate(database.executor, event.certificateUuid);
    if (ownAuthority !== undefined) {
      responders.forget(ownAuthority);
      await renewResponder(ownAuthority, { evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS, signal });
    }
    const der = (await ports.certificates.find(event.certificateUuid))?.der;
    const certificate = der && parseCertificate(der);
    for (const authorityUuid of await authoritiesOf(event)) {
      if (certificate) await publishWith(certificate, { authorityUuid, signal });
      else await publishAnew(authorityUuid, signal);
    }
  }

  /** The certificate was deleted meanwhile, so nobody can tell whether a list has it: the next one does. */
  async function publishAnew(authorityUuid: string, signal: AbortSignal): Promise<void> {
    await debounce(authorityUuid, signal);
    const turn = { evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS, signal };
    await refresh({ authorityUuid, kind: 'full', isNeeded: () => true, ...turn });
  }

  async function authoritiesOf({ raProfileUuid, issuerCertificateUuid }: RevokedEvent): Promise<readonly string[]> {
    const byProfile = raProfileUuid === null ? undefined : await ports.raProfiles.authorityOf(raProfileUuid);
    if (byProfile !== undefined) return [byProfile];
    return issuerCertificateUuid === null
      ? []
      : store.findAuthoritiesOfIssuer(database.executor, issuerCertificateUuid);
  }

  async function publishWith(
    certificate: Certificate,
    { authorityUuid, signal }: { readonly authorityUuid: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const isNamed = (): Promise<boolean> => published.name(authorityUuid, certificate);
    if (await isNamed()) return;
    await debounce(authorityUuid, signal);
    const turn = { evenIfPaused: true, waitMs: WAIT_FOR_OTHER_NODE_MS, signal };
    const isMissing = (crl: PublishedCrl | undefined): boolean =>
      !crl || findRevoked(crl.list, certificate.serialBytes) === undefined;
    const result = await refresh({ authorityUuid, kind: 'full', ...turn, isNeeded: isMissing });
    if (result.outcome === 'notOffered') return;
    const delta = { authorityUuid, kind: 'delta' } as const;
    if (await isNamed()) {
      if (await published.find(delta)) {
        await refresh({ ...delta, ...turn, isNeeded: isMissing, waitMs: 0 }).catch(() => undefined); // logged there; the full CRL counts
      }
      return;
    }
    // A CA leaves out what has expired (RFC 5280 section 3.3).
    if (certificate.notAfterMs <= clock.now().getTime()) return;
    // An authority may make full lists on schedule only, and deltas between.
    await refresh({ ...delta, ...turn, isNeeded: isMissing });
    if (!(await isNamed()))
      throw new Error(`The CRL of authority ${authorityUuid} does not name a revoked certificate yet.`);
  }

  async function debounce(authorityUuid: string, signal: AbortSignal): Promise<void> {
    const dueMs = (lastFetchMs.get(authorityUuid) ?? Number.NEGATIVE_INFINITY) + CRL_DEBOUNCE_MS;
    const waitMs = dueMs - clock.monotonicMs();
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    lastFetchMs.set(authorityUuid, clock.monotonicMs());
  }

  /** Everything that is due, once a minute on one node. */
  async function onSchedule(signal: AbortSignal): Promise<void> {
    const turn = { evenIfPaused: false, waitMs: 0, signal };
    const isDue = (facts: CrlFacts | undefined): boolean =>
      !facts ||
      crlRefreshAtMs({ thisUpdateMs: facts.this_update.getTime(), nextUpdateMs: facts.next_update.getTime() }) <=
        clock.now().getTime();
    const all = await store.listCrlFacts(database.executor);
    const crls = all.filter((crl) => isDue(crl) || isDeltaBehind(crl, all));
    const failed = await findFailedDuties(database.executor);
    const withResponder = await store.findAuthoritiesWithResponder(database.executor);
    const work: readonly (() => Promise<unknown>)[] = [
      ...crls.map((crl) => () => {
        const key = { authorityUuid: crl.authority_uuid, kind: crl.kind };
        return refresh({ ...key, ...turn, isNeeded: (now) => isDue(now?.facts) || isDeltaBehind(crl, all) });
      }),
      ...failed.map(({ authorityUuid, name }) => () => {
        if (name === 'responder') return renewResponder(authorityUuid, turn);
        return refresh({ authorityUuid, kind: name, ...turn, isNeeded: () => true });
      }),
      ...withResponder.map((authorityUuid) => () => renewResponder(authorityUuid, turn)),
    ];
    await inParallel(work, signal);
    await store.removeExpiredResponders(database.executor, clock.now());
  }

  /** A delta that is older than the full list says nothing to those who have that; the next one refers to it. */
  const isDeltaBehind = (delta: CrlFacts, all: readonly CrlFacts[]): boolean =>
    delta.kind === 'delta' &&
    all.some(
      (full) =>
        full.kind === 'full' &&
        full.authority_uuid === delta.authority_uuid &&
        full.issuer_key === delta.issuer_key &&
        BigInt(full.number) > BigInt(delta.number),
    );

  /** One that fails is logged and does not stop the others; its duty says when it is tried again. */
  async function inParallel(work: readonly (() => Promise<unknown>)[], signal: AbortSignal): Promise<void> {
    const left = [...work];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next && !signal.aborted; next = left.shift()) {
        await next().catch((error: unknown) => log.debug({ error }, 'scheduled work on revocation failed'));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  return {
    afterRevocation,
    onSchedule,
    /** Declares the queues; before the jobs are started. */
    declare(): void {
      events.subscribe({
        event: 'certificate_revoked',
        queue: REVOKED_QUEUE,
        handle: async (event, { signal }) => {
          await afterRevocation(event, signal);
          // Looks for the next one at once: after a bulk revocation many wait, and most are in the list already.
          jobs.wake(REVOKED_QUEUE);
        },
      });
      jobs.declare({
        name: SCHEDULE_QUEUE,
        schedule: '* * * * *',
        retryLimit: 0,
        handle: (_payload, { signal }) => onSchedule(signal),
      });
    },
  };
}
