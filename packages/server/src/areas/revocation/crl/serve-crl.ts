// Returns the CRL for a download: the published CRL, or one fetched on demand if none has been published or the
// published CRL has expired. If no new CRL can be fetched, the expired CRL is still served, because clients check its
// age and it lists past revocations.
import { CRL_SHARDS_FEATURE } from '@signetry/contract';
import { AppError, notFound } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { shardOf } from '../publication-times.ts';
import type { TaskResponse } from '../tasks.ts';
import type { Issuers } from '../issuers.ts';
import type { CrlKey, PublishedCrl, PublishedCrls } from './published-crls.ts';
import type { CrlRefresher } from './refresh-crl.ts';

/** How long a download waits while another node fetches the CRL. */
const WAIT_FOR_OTHER_NODE_MS = 10_000;

export type CrlServer = (key: CrlKey) => Promise<PublishedCrl>;

export function createCrlServer(options: {
  readonly platform: Pick<Platform, 'clock'>;
  readonly issuers: Issuers;
  readonly published: PublishedCrls;
  readonly refresh: CrlRefresher;
}): CrlServer {
  const { issuers, published, refresh } = options;
  /** Fetches in progress, shared by concurrent downloads. */
  const underWay = new Map<string, Promise<TaskResponse>>();

  const hasEnded = (crl: PublishedCrl | undefined): boolean =>
    !crl || crl.facts.next_update.getTime() <= options.platform.clock.now().getTime();

  function fetchOnce(key: CrlKey): Promise<TaskResponse> {
    const id = `${key.authorityUuid}/${key.kind}`;
    const running = underWay.get(id);
    if (running) return running;
    const started = refresh({ ...key, isNeeded: hasEnded, evenIfPaused: false, waitMs: WAIT_FOR_OTHER_NODE_MS });
    underWay.set(id, started);
    const end = (): void => void underWay.delete(id);
    started.then(end, end);
    return started;
  }

  return async (key) => {
    const stored = await published.find(key);
    if (stored && !hasEnded(stored)) return stored;
    const { authority } = await issuers.of(key.authorityUuid);
    if (shardOf(key.kind) !== undefined && !authority.features.includes(CRL_SHARDS_FEATURE))
      throw notFound(`The ${key.kind} CRL of authority`, authority.name);
    const { answer, cause } = await fetchOnce(key).then(
      (answer) => ({ answer, cause: undefined }),
      (cause: unknown) => ({ answer: undefined, cause }),
    );
    const now = await published.findFresh(key);
    if (now) return now;
    if (answer && isNotOffered(answer)) throw notFound(`The ${key.kind} CRL of authority`, authority.name);
    throw new AppError(
      'unavailable',
      { reason: `authority ${authority.name} does not provide a CRL at the moment` },
      { cause },
    );
  };
}

const isNotOffered = (answer: TaskResponse): boolean =>
  answer.outcome === 'notOffered' || ('lastOutcome' in answer && answer.lastOutcome === 'notOffered');
