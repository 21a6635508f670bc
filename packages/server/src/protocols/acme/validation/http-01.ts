// http-01 (RFC 8555 §8.3): the key authorization is served at a well-known path under the name, over plain HTTP.
import { connect } from 'node:net';
import { ValidationFailure, type ChallengeToValidate } from './challenge.ts';
import { connectTo } from './connection.ts';
import { exchange } from './http-exchange.ts';
import { firstTarget, redirectTarget, type HttpTarget } from './http-target.ts';
import { connectTls } from './tls-connection.ts';
import type { Attempt } from './attempt.ts';
import type { HttpResponse } from './http-response-reader.ts';

const MAX_REDIRECTS = 10;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** Throws `ValidationFailure` unless the key authorization is served. */
export async function validateHttp01(challenge: ChallengeToValidate, attempt: Attempt): Promise<void> {
  const origin = challenge.identifier.value;
  let target = firstTarget(challenge, attempt.rules);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetchFrom(target, attempt);
    if (!REDIRECT_STATUSES.includes(response.status)) return evaluateResponse(response, challenge);
    target = redirectTarget({ from: target, location: response.location, origin }, attempt.rules);
  }
  const detail = `${origin} redirects more than ${MAX_REDIRECTS} times.`;
  throw new ValidationFailure({ type: 'connection', detail, mayChange: false });
}

async function fetchFrom(target: HttpTarget, attempt: Attempt): Promise<HttpResponse> {
  const socket = target.isTls
    ? await connectTls(target, { attempt, serverName: target.serverName, protocols: ['http/1.1'] })
    : await connectTo(target, { attempt, open: connect });
  try {
    return await exchange(socket, { request: target, target, signal: attempt.signal });
  } finally {
    socket.destroy();
  }
}

/** Checks the response. White space after the key authorization is ignored (RFC 8555 §8.3). */
function evaluateResponse(
  { status, body, isTruncated }: HttpResponse,
  { identifier, keyAuthorization }: ChallengeToValidate,
): void {
  if (status !== 200) {
    const detail = `${identifier.value} returned status ${status}; expected 200.`;
    // A responder that is not ready yet returns these statuses.
    throw new ValidationFailure({ type: 'incorrectResponse', detail, mayChange: status === 404 || status >= 500 });
  }
  if (!isTruncated && body.trimEnd() === keyAuthorization) return;
  const detail = `${identifier.value} returned content other than the key authorization of this challenge and account.`;
  throw new ValidationFailure({ type: 'incorrectResponse', detail, mayChange: false });
}
