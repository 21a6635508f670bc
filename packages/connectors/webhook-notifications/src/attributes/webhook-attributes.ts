// The form of an instance: where events are sent to, in which form, and how the receiver knows whom they are from.
import {
  dataAttribute,
  infoAttribute,
  inRange,
  readInteger,
  readSecret,
  readString,
  refuseIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import { parseConsoleUrl } from '@signetry/connector-sdk/notification';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { readCertificate, isPkiError, readPem, writePemChain } from '@signetry/pki';
import { parseSecret } from '../http/signature.ts';
import { formUuid as uuid } from './attribute-uuids.ts';
import { parseHeaders } from './headers.ts';

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
  { reference: 'JSON of the event', data: 'json' },
  { reference: 'CloudEvents 1.0, structured JSON', data: 'cloudEvents' },
  { reference: 'Message for Slack', data: 'slack' },
  { reference: 'Adaptive card for Microsoft Teams', data: 'teams' },
];

const INTRODUCTION = `Sends events to an address by HTTP POST.

* Give a **signing secret**, and the receiver can check that a request is from here and is not a repetition:
  requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) are.
* The address of a channel of Slack or Teams is a secret by itself: whoever knows it can write there.
* Redirects are not followed. A receiver that does not answer, or answers 429 or 5xx, is asked again by the platform.`;

const DEFAULT_TIMEOUT_SECONDS = 15;
const MAX_TIMEOUT_SECONDS = 45;
const RECEIVER = 'Receiver';
const PROOF = 'Proof of origin';

const webhookForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_webhook', label: 'Webhook', text: INTRODUCTION }),
  dataAttribute({
    uuid: uuid(2),
    name: WEBHOOK.url,
    label: 'Address',
    description: 'Where events are sent to, e.g. https://hooks.example.com/certificates.',
    group: RECEIVER,
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: WEBHOOK.form,
    label: 'Form of the body',
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
      'Base64 of 24 to 64 random octets, with or without whsec_ before it, e.g. from "openssl rand -base64 32". Without it, requests are not signed.',
    group: PROOF,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: WEBHOOK.authorization,
    label: 'Authorization',
    description: 'Value of the header Authorization, e.g. "Bearer" and a token.',
    group: PROOF,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: WEBHOOK.headers,
    label: 'Further headers',
    description: 'A line for each, such as X-Source: pki. They are shown; secrets belong into Authorization.',
    group: RECEIVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(7),
    name: WEBHOOK.trustAnchors,
    label: 'Trusted CA certificates',
    description:
      'In PEM. The certificate of the receiver has to be issued below one of them; without them, below those that this machine trusts.',
    group: RECEIVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(8),
    name: WEBHOOK.timeoutSeconds,
    label: 'Time-out in seconds',
    description: 'For a request with all of its answer.',
    group: RECEIVER,
    contentType: 'integer',
    content: DEFAULT_TIMEOUT_SECONDS,
    constraints: [inRange({ from: 1, to: MAX_TIMEOUT_SECONDS })],
  }),
  dataAttribute({
    uuid: uuid(9),
    name: WEBHOOK.consoleUrl,
    label: 'Address of the console',
    description: 'For links to what an event is about, e.g. https://pki.example.com.',
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

/** Refuses with everything that is wrong. */
export function readWebhookSettings(attributes: readonly RequestAttributeDto[]): WebhookSettings {
  refuseIf(validateAttributes(webhookForm, attributes));
  const problems: string[] = [];
  const take = <Value>(label: string, parsed: Parsed<Value>, fallback: Value): Value => {
    if ('value' in parsed) return parsed.value;
    problems.push(`${label}: ${parsed.problem}`);
    return fallback;
  };
  const settings: WebhookSettings = {
    url: take('Address', parseUrl(readString(attributes, WEBHOOK.url) ?? ''), NOWHERE),
    form: (readString(attributes, WEBHOOK.form) ?? 'json') as BodyForm, // a choice, which was checked
    key: take('Signing secret', parseSecret(readSecret(attributes, WEBHOOK.secret)), undefined),
    authorization: take('Authorization', parseAuthorization(readSecret(attributes, WEBHOOK.authorization)), undefined),
    headers: take('Further headers', parseHeaders(readString(attributes, WEBHOOK.headers) ?? ''), {}),
    trustAnchors: take(
      'Trusted CA certificates',
      parseAnchors(readString(attributes, WEBHOOK.trustAnchors)),
      undefined,
    ),
    timeoutMs: (readInteger(attributes, WEBHOOK.timeoutSeconds) ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    consoleUrl: take('Address of the console', parseConsoleUrl(readString(attributes, WEBHOOK.consoleUrl)), undefined),
  };
  refuseIf(problems);
  return settings;
}

function parseUrl(text: string): Parsed<URL> {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return { problem: 'this is no address such as https://hooks.example.com/certificates.' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'it has a user or a password; give those in Authorization.' };
  return { value: url };
}

/** What may stand in a header: visible characters of ASCII and spaces (RFC 9110 §5.5). */
const parseAuthorization = (text: string | undefined): Parsed<string | undefined> =>
  text === undefined || /^[\x20-\x7e]{1,8192}$/.test(text)
    ? { value: text?.trim() || undefined }
    : { problem: 'it must be one line of ASCII characters, 8192 of them at most.' };

function parseAnchors(text: string | undefined): Parsed<string | undefined> {
  if (text === undefined) return { value: undefined };
  try {
    const certificates = readPem(text).map(({ der }) => readCertificate(der));
    if (certificates.length === 0) return { problem: 'there is no certificate in PEM.' };
    return { value: writePemChain(certificates.map(({ der }) => der)) };
  } catch (error) {
    if (isPkiError(error)) return { problem: error.message };
    throw error;
  }
}
