// The webhook kind: converts deliveries to requests and interprets the responses.
import { rejected, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import {
  describeNotification,
  type NotificationChannel,
  type NotificationDelivery,
  type NotificationKind,
} from '@signetry/connector-sdk/notification';
import { readWebhookSettings, webhookAttributes, type WebhookSettings } from './attributes/webhook-attributes.ts';
import { bodyOf } from './bodies/webhook-body.ts';
import { NoResponseError, Poster, type WebhookResponse } from './http/post.ts';
import { webhookHeaders } from './http/signature.ts';

export const createWebhookKind = (context: ConnectorContext): NotificationKind<WebhookSettings> => ({
  attributes: webhookAttributes,
  read: readWebhookSettings,
  destination: ({ url }) => url.href,
  check: (settings) => checkAddress(settings, context),
  open: (settings) => openWebhook(settings, context),
});

/** Rejects a host immediately if it has no address or connections to it are not allowed; nothing is sent. */
async function checkAddress(settings: WebhookSettings, context: ConnectorContext): Promise<void> {
  const poster = new Poster(settings, context);
  try {
    await poster.addresses();
  } catch (error) {
    if (error instanceof NoResponseError) throw rejected(`URL: ${error.message}.`);
    throw error;
  } finally {
    poster.close();
  }
}

function openWebhook(settings: WebhookSettings, { clock, resolveHost }: ConnectorContext): NotificationChannel {
  const poster = new Poster(settings, { resolveHost });
  return {
    async send(delivery, signal) {
      const { headers, body } = requestOf(settings, delivery, clock.now());
      evaluateResponse(settings, clock.now(), await post(poster, { settings, headers, body, signal }));
    },
    preview(delivery) {
      const { headers, body } = requestOf(settings, delivery, clock.now());
      return { body, headers: withoutSecrets(headers, settings) };
    },
    close: () => poster.close(),
  };
}

interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function requestOf(settings: WebhookSettings, delivery: NotificationDelivery, now: Date): WebhookRequest {
  const { form, consoleUrl, key, authorization } = settings;
  const words = describeNotification(delivery.body, { now, consoleUrl });
  const { mediaType, text: body } = bodyOf(form, delivery, { words, source: consoleUrl });
  return {
    body,
    headers: {
      ...settings.headers,
      ...(authorization === undefined ? {} : { authorization }),
      'content-type': mediaType,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': settings.headers['user-agent'] ?? 'signetry-webhook',
      ...webhookHeaders({ id: delivery.id, sentAt: now, body }, key),
    },
  };
}

async function post(
  poster: Poster,
  { settings, headers, body, signal }: WebhookRequest & { settings: WebhookSettings; signal: AbortSignal },
): Promise<WebhookResponse> {
  try {
    return await poster.post(headers, body, signal);
  } catch (error) {
    if (error instanceof NoResponseError) throw unavailable(`${hostOf(settings)}: ${error.message}.`);
    throw error;
  }
}

/** Status codes after which the same request may be accepted later (RFC 9110 §15.5.9, RFC 8470, RFC 6585). */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

function evaluateResponse(settings: WebhookSettings, now: Date, { status, retryAfter, text }: WebhookResponse): void {
  if (status >= 200 && status < 300) return;
  const host = hostOf(settings);
  if (status >= 500 || LATER.has(status))
    throw unavailable(`${host} responded with status ${status}. The platform will retry.`, {
      retryAfterSeconds: secondsOf(retryAfter, now),
    });
  if (status >= 300 && status < 400)
    throw rejected(`${host} responded with a redirect (${status}), which is not followed. Specify the target URL.`);
  // Slack responds with error codes like these; any other text could come from a third party.
  const reason = /^[a-z_]{1,60}$/.test(text) ? ` (${text})` : '';
  throw rejected(`${host} rejected the request with status ${status}${reason}${HINTS[status] ?? ''}.`);
}

const HINTS: Readonly<Record<number, string>> = {
  401: ': check Authorization and the signing secret',
  403: ': check Authorization and the signing secret',
  404: ': check the URL',
  410: ': the receiver no longer exists',
  413: ': the body is too large',
};

const DAY_SECONDS = 86_400;

/** Parses a number of seconds or a date (RFC 9110 §10.2.3), limited to one day. */
function secondsOf(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - now.getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), DAY_SECONDS);
}

/** Only the host is shown, because the path can be a secret, as in Slack URLs. */
const hostOf = ({ url }: WebhookSettings): string => url.host;

const withoutSecrets = (
  headers: WebhookRequest['headers'],
  { authorization, key }: WebhookSettings,
): Record<string, string> => ({
  ...headers,
  ...(authorization === undefined ? {} : { authorization: '(as configured)' }),
  // The signature is not shown, because users who can see it could send the request themselves.
  ...(key === undefined ? {} : { 'webhook-signature': 'v1,(created when sent)' }),
});
