// Asks a server of the operator about a challenge password: 2xx lets the request in, 4xx does not; anything else is a
// fault of that server, and the client may come again.
import { fetch, type Dispatcher } from 'undici';
import type { Platform } from '../../platform/platform.ts';
import { refuse } from './refusal.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

export interface ChallengeQuestion {
  /** Name of the SCEP profile. */
  readonly profile: string;
  readonly transactionId: string;
  /** RFC 4514. */
  readonly subject: string;
  readonly challengePassword: string;
  /** PKCS#10, DER in Base64. */
  readonly request: string;
}

export type ChallengeWebhook = (url: string, question: ChallengeQuestion) => Promise<boolean>;

export function createChallengeWebhook({ egress, giveUp, log }: Pick<Platform, 'egress' | 'giveUp' | 'log'>) {
  let dispatcher: Dispatcher | undefined;
  const connections = () =>
    (dispatcher ??= egress.dispatcher({ totalTimeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES }));

  const ask: ChallengeWebhook = async (url, question) => {
    const status = await statusOf(url, question);
    if (status !== undefined && status >= 200 && status < 300) return true;
    if (status !== undefined && status >= 400 && status < 500) return false;
    return refuse('badRequest', 'The challenge password could not be checked now; try again later.');
  };

  async function statusOf(url: string, question: ChallengeQuestion): Promise<number | undefined> {
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
      log.warn({ err: error, profile: question.profile }, 'The webhook of SCEP challenges gave no answer');
      return undefined;
    }
  }

  return { ask, close: () => dispatcher?.destroy() ?? Promise.resolve() };
}
