// Instance form: where events are sent, in which format, and how the receiver authenticates them.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readInteger,
  readSecret,
  readString,
  rejectIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import { parseConsoleUrl } from '@signetry/connector-sdk/notification';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { readCertificate, isPkiError, readPem, writePemChain } from '@signetry/pki';
import { parseSecret } from '../http/signature.ts';
import { parseHeaders } from './headers.ts';

/** Attribute UUIDs. Platforms store values under them, so a number is never reused or changed. */
const uuid = (number: number): string => `b1f0d7a4-53c8-4e10-9d26-${String(number).padStart(12, '0')}`;

export const WEBHOOK = {
  url: 'data_url',
  form: 'data_bodyForm',
  secret: 'data_signingSecret',
  authorization: 'data_authorization',
  headers: 'data_headers',
  trustAnchors: 'data_trustAnchors',
  timeoutSeconds: 'data_timeoutSeconds',
  consoleUrl: 'data_consoleUrl',
} as const;

export type BodyForm = 'json' | 'cloudEvents' | 'slack' | 'teams';

const FORMS: readonly { readonly reference: string; readonly data: BodyForm }[] = [
  { reference: 'Event as JSON', data: 'json' },
  { reference: 'CloudEvents 1.0 (structured JSON)', data: 'cloudEvents' },
  { reference: 'Slack message', data: 'slack' },
  { reference: 'Microsoft Teams adaptive card', data: 'teams' },
];

const INTRODUCTION = `Sends events to a URL with HTTP POST.\n\n* With a **signing secret**, the receiver can verify the origin of a request and detect replays:\n  requests are signed according to [Standard Webhooks](https://www.standardwebhooks.com).\n* The URL of a Slack or Teams channel is a secret: anyone who knows it can post there.\n* Redirects are not followed. If a receiver does not respond, or responds with 429 or 5xx, the platform retries.`;

const DEFAULT_TIMEOUT_SECONDS = 15;
const MAX_TIMEOUT_SECONDS = 45;
const RECEIVER = 'Receiver';
const PROOF = 'Authentication';

const webhookForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_webhook', label: 'Webhook', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: WEBHOOK.url,
    label: 'URL',
    description: 'URL to which events are sent, e.g. https://hooks.example.com/certificates',
    group: RECEIVER,
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: WEBHOOK.form,
    label: 'Body format',
    group: RECEIVER,
    contentType: 'string',
    required: true,
    choices: FORMS,
  }),
  dataAttribute({
    uuid: uuid(4),
    name: WEBHOOK.secret,
    label: 'Signing secret',
    description:
      'Base64 of 24 to 64 random bytes, with or without the prefix whsec_, e.g. from "openssl rand -base64 32". If empty, requests are not signed.',
    group: PROOF,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: WEBHOOK.authorization,
    label: 'Authorization',
    description: 'Value of the Authorization header, e.g. "Bearer" and a token',
    group: PROOF,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: WEBHOOK.headers,
    label: 'Additional headers',
    description: 'One per line, such as X-Source: pki. Values are visible; put secrets into Authorization.',
    group: RECEIVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(7),
    name: WEBHOOK.trustAnchors,
    label: 'Trusted CA certificates',
    description:
      "PEM. The receiver's certificate must chain to one of them. Default: the CAs that this machine trusts.",
    group: RECEIVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(8),
    name: WEBHOOK.timeoutSeconds,
    label: 'Timeout (seconds)',
    description: 'Applies to a request including its response.',
    group: RECEIVER,
    contentType: 'integer',
    content: DEFAULT_TIMEOUT_SECONDS,
    constraints: [inRange({ from: 1, to: MAX_TIMEOUT_SECONDS })],
  }),
  dataAttribute({
    uuid: uuid(9),
    name: WEBHOOK.consoleUrl,
    label: 'Console URL',
    description: 'For links to the object of an event, e.g. https://pki.example.com',
    contentType: 'string',
  }),
];

export const webhookAttributes = (): BaseAttributeDto[] => [...webhookForm];

export interface WebhookSettings {
  readonly url: URL;
  readonly form: BodyForm;
  readonly key: Uint8Array | undefined;
  readonly authorization: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM. */
  readonly trustAnchors: string | undefined;
  readonly timeoutMs: number;
  readonly consoleUrl: string | undefined;
}

type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

const NOWHERE = new URL('https://invalid.invalid');

/** Parses the attributes. Throws a single error that lists all problems. */
export function readWebhookSettings(attributes: readonly RequestAttributeDto[]): WebhookSettings {
  rejectIf(validateAttributes(webhookForm, attributes));
  const problems: string[] = [];
  const unwrapValue = <Value>(label: string, parsed: Parsed<Value>, fallback: Value): Value => {
    if ('value' in parsed) return parsed.value;
    problems.push(`${label}: ${parsed.problem}`);
    return fallback;
  };
  const settings: WebhookSettings = {
    url: unwrapValue('URL', parseUrl(readString(attributes, WEBHOOK.url) ?? ''), NOWHERE),
    // The value was already validated against the choices.
    form: (readString(attributes, WEBHOOK.form) ?? 'json') as BodyForm,
    key: unwrapValue('Signing secret', parseSecret(readSecret(attributes, WEBHOOK.secret)), undefined),
    authorization: unwrapValue(
      'Authorization',
      parseAuthorization(readSecret(attributes, WEBHOOK.authorization)),
      undefined,
    ),
    headers: unwrapValue('Additional headers', parseHeaders(readString(attributes, WEBHOOK.headers) ?? ''), {}),
    trustAnchors: unwrapValue(
      'Trusted CA certificates',
      parseAnchors(readString(attributes, WEBHOOK.trustAnchors)),
      undefined,
    ),
    timeoutMs: (readInteger(attributes, WEBHOOK.timeoutSeconds) ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    consoleUrl: unwrapValue('Console URL', parseConsoleUrl(readString(attributes, WEBHOOK.consoleUrl)), undefined),
  };
  rejectIf(problems);
  return settings;
}

function parseUrl(text: string): Parsed<URL> {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { problem: 'must be a URL such as https://hooks.example.com/certificates.' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'must not contain a username or password. Specify them in Authorization.' };
  return { value: url };
}

/** A header may contain only visible ASCII characters and spaces (RFC 9110 §5.5). */
const parseAuthorization = (text: string | undefined): Parsed<string | undefined> =>
  text === undefined || /^[\x20-\x7e]{1,8192}$/.test(text)
    ? { value: text?.trim() || undefined }
    : { problem: 'must be one line of at most 8192 ASCII characters.' };

function parseAnchors(text: string | undefined): Parsed<string | undefined> {
  if (text === undefined) return { value: undefined };
  try {
    const certificates = readPem(text).map(({ der }) => readCertificate(der));
    if (certificates.length === 0) return { problem: 'must contain at least one PEM certificate.' };
    return { value: writePemChain(certificates.map(({ der }) => der)) };
  } catch (error) {
    if (isPkiError(error)) return { problem: error.message };
    throw error;
  }
}
