// Asks a server run by the operator to check a challenge password. 2xx accepts the request, and 4xx rejects it. Any
// other result is an error in that server, and the client can try again.
import { fetch, type Dispatcher } from 'undici';
import type { Platform } from '../../platform/platform.ts';
import { reject } from './rejection.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

export interface ChallengeQuery {
  /** Name of the SCEP profile. */
  readonly profile: string;
  readonly transactionId: string;
  /** RFC 4514. */
  readonly subject: string;
  readonly challengePassword: string;
  /** PKCS #10 as Base64-encoded DER. */
  readonly request: string;
}

export type ChallengeWebhook = (url: string, question: ChallengeQuery) => Promise<boolean>;

export function createChallengeWebhook({ egress, giveUp, log }: Pick<Platform, 'egress' | 'giveUp' | 'log'>) {
  let dispatcher: Dispatcher | undefined;
  const connections = () =>
    (dispatcher ??= egress.dispatcher({ totalTimeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES }));

  const ask: ChallengeWebhook = async (url, question) => {
    const status = await statusOf(url, question);
    if (status !== undefined && status >= 200 && status < 300) return true;
    if (status !== undefined && status >= 400 && status < 500) return false;
    return reject('badRequest', 'Cannot check the challenge password at this time; try again later.');
  };

  async function statusOf(url: string, question: ChallengeQuery): Promise<number | undefined> {
    try {
      const response = await fetch(egress.assertUrl(url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question),
        redirect: 'manual',
        dispatcher: connections(),
        signal: AbortSignal.any([giveUp, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      log.warn({ err: error, profile: question.profile }, 'the SCEP challenge webhook did not respond');
      return undefined;
    }
  }

  return { ask, close: () => dispatcher?.destroy() ?? Promise.resolve() };
}
