// The form of an instance: server, sender and email templates.
import {
  credentialsOfKind,
  dataAttribute,
  infoAttribute,
  inRange,
  readCredential,
  readInteger,
  readSecret,
  readString,
  rejectIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import { parseConsoleUrl } from '@signetry/connector-sdk/notification';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { isPkiError, readCertificate, readPem, writePemChain } from '@signetry/pki';
import { DEFAULT_TEMPLATES } from '../templates/default-templates.ts';
import { PLACEHOLDERS } from '../templates/placeholders.ts';
import { parseTemplates, type Templates } from '../templates/templates.ts';
import { isMailAddress } from './mail-address.ts';

/** Attribute UUIDs. Platforms store values under them, so a number is never reused or changed. */
const uuid = (number: number): string => `4d7c19e2-0ab6-4e10-8f53-${String(number).padStart(12, '0')}`;

export const EMAIL = {
  host: 'data_host',
  port: 'data_port',
  security: 'data_security',
  credential: 'data_credential',
  trustAnchors: 'data_trustAnchors',
  connections: 'data_connections',
  timeoutSeconds: 'data_timeoutSeconds',
  senderAddress: 'data_senderAddress',
  senderName: 'data_senderName',
  subject: 'data_subject',
  text: 'data_text',
  html: 'data_html',
  consoleUrl: 'data_consoleUrl',
} as const;

export type Security = 'starttls' | 'tls' | 'none';

const SECURITIES: readonly { readonly reference: string; readonly data: Security }[] = [
  { reference: 'STARTTLS, required (port 587)', data: 'starttls' },
  { reference: 'TLS from the start of the connection (port 465)', data: 'tls' },
  { reference: 'None: traffic can be read on the network (port 25)', data: 'none' },
];

const INTRODUCTION = `Sends an email to each recipient with an email address.

* The server connection is tested when this is saved, so a wrong password is reported immediately. No email is sent.
* Placeholders in double braces are replaced with values: ${Object.keys(PLACEHOLDERS)
  .map((name) => `\`{{${name}}}\``)
  .join(', ')}.
  A placeholder without a value for an event is left empty.`;

const DEFAULTS = { port: 587, connections: 5, timeoutSeconds: 20 };
/** Credential kind with a user name and a password. */
const CREDENTIAL_KIND = 'Basic';
const SERVER = 'Email server';
const SENDER = 'Sender';
const MAIL = 'Email';

const serverFields: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(2),
    name: EMAIL.host,
    label: 'Host',
    description: 'Host name or IP address of the SMTP server, e.g. smtp.example.com.',
    group: SERVER,
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(3),
    name: EMAIL.port,
    label: 'Port',
    group: SERVER,
    contentType: 'integer',
    content: DEFAULTS.port,
    constraints: [inRange({ from: 1, to: 65_535 })],
  }),
  dataAttribute({
    uuid: uuid(4),
    name: EMAIL.security,
    label: 'Connection security',
    group: SERVER,
    contentType: 'string',
    required: true,
    choices: SECURITIES,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: EMAIL.credential,
    label: 'Credential',
    description: 'User name and password, if the server requires them. They are sent only over TLS.',
    group: SERVER,
    contentType: 'credential',
    choices: [],
    callback: credentialsOfKind(CREDENTIAL_KIND),
  }),
  dataAttribute({
    uuid: uuid(6),
    name: EMAIL.trustAnchors,
    label: 'Trusted CA certificates',
    description:
      'In PEM. The server certificate must chain to one of them. If empty, the CAs that this machine trusts are used.',
    group: SERVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(7),
    name: EMAIL.connections,
    label: 'Concurrent connections',
    group: SERVER,
    contentType: 'integer',
    content: DEFAULTS.connections,
    constraints: [inRange({ from: 1, to: 50 })],
  }),
  dataAttribute({
    uuid: uuid(8),
    name: EMAIL.timeoutSeconds,
    label: 'Timeout (seconds)',
    description: 'Per email, including the connection if a new one is needed.',
    group: SERVER,
    contentType: 'integer',
    content: DEFAULTS.timeoutSeconds,
    constraints: [inRange({ from: 1, to: 45 })],
  }),
];

const mailFields: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(9),
    name: EMAIL.senderAddress,
    label: 'Sender address',
    description: 'Address from which the server accepts mail, e.g. pki@example.com.',
    group: SENDER,
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(10),
    name: EMAIL.senderName,
    label: 'Sender name',
    group: SENDER,
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(11),
    name: EMAIL.subject,
    label: 'Subject',
    group: MAIL,
    contentType: 'string',
    content: DEFAULT_TEMPLATES.subject,
  }),
  dataAttribute({
    uuid: uuid(12),
    name: EMAIL.text,
    label: 'Text',
    description: 'For mail clients that do not show HTML.',
    group: MAIL,
    contentType: 'text',
    content: DEFAULT_TEMPLATES.text,
  }),
  dataAttribute({
    uuid: uuid(13),
    name: EMAIL.html,
    label: 'HTML',
    description: 'Put placeholders between elements, not inside them. Scripts and forms are rejected.',
    group: MAIL,
    contentType: 'text',
    content: DEFAULT_TEMPLATES.html,
  }),
  dataAttribute({
    uuid: uuid(14),
    name: EMAIL.consoleUrl,
    label: 'Console URL',
    description: 'For links to the object that an email is about, e.g. https://pki.example.com.',
    group: MAIL,
    contentType: 'string',
  }),
];

const emailForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_email', label: 'Email', text: INTRODUCTION }),
  ...serverFields,
  ...mailFields,
];

export const emailAttributes = (): BaseAttributeDto[] => [...emailForm];

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** In PEM; if undefined, the CAs that this machine trusts are used. */
  readonly trustAnchors: string | undefined;
  readonly connections: number;
  /** Time limit per email, including the connection. */
  readonly timeoutMs: number;
}

export interface EmailSettings {
  readonly server: ServerSettings;
  readonly sender: { readonly address: string; readonly name: string };
  readonly templates: Templates;
  readonly consoleUrl: string | undefined;
}

type Attributes = readonly RequestAttributeDto[];
type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Reads the settings. Rejects invalid values, listing every problem. */
export function readEmailSettings(attributes: Attributes): EmailSettings {
  rejectIf(validateAttributes(emailForm, attributes));
  const problems: string[] = [];
  const unwrapValue = <Value>(label: string, parsed: Parsed<Value>, fallback: Value): Value => {
    if ('value' in parsed) return parsed.value;
    problems.push(`${label}: ${parsed.problem}`);
    return fallback;
  };
  // The value was validated against the choices.
  const security = (readString(attributes, EMAIL.security) ?? 'starttls') as Security;
  const { templates, problems: ofTemplates } = parseTemplates({
    subject: readString(attributes, EMAIL.subject) ?? DEFAULT_TEMPLATES.subject,
    text: readString(attributes, EMAIL.text) ?? DEFAULT_TEMPLATES.text,
    html: readString(attributes, EMAIL.html) ?? DEFAULT_TEMPLATES.html,
  });
  const settings: EmailSettings = {
    server: {
      host: unwrapValue('Host', parseHost(readString(attributes, EMAIL.host) ?? ''), ''),
      port: readInteger(attributes, EMAIL.port) ?? DEFAULTS.port,
      security,
      login: unwrapValue('Credential', parseLogin(attributes, security), undefined),
      trustAnchors: unwrapValue(
        'Trusted CA certificates',
        parseAnchors(readString(attributes, EMAIL.trustAnchors)),
        undefined,
      ),
      connections: readInteger(attributes, EMAIL.connections) ?? DEFAULTS.connections,
      timeoutMs: (readInteger(attributes, EMAIL.timeoutSeconds) ?? DEFAULTS.timeoutSeconds) * 1000,
    },
    sender: {
      address: unwrapValue('Sender address', parseAddress(readString(attributes, EMAIL.senderAddress) ?? ''), ''),
      name: readString(attributes, EMAIL.senderName) ?? '',
    },
    templates,
    consoleUrl: unwrapValue('Console URL', parseConsoleUrl(readString(attributes, EMAIL.consoleUrl)), undefined),
  };
  rejectIf([...problems, ...ofTemplates]);
  return settings;
}

const parseHost = (host: string): Parsed<string> =>
  /^[A-Za-z0-9._:-]{1,253}$/.test(host)
    ? { value: host }
    : { problem: 'it must be a host name or an IP address, without port or scheme.' };

const parseAddress = (address: string): Parsed<string> =>
  isMailAddress(address)
    ? { value: address }
    : { problem: `"${address}" must be an email address such as pki@example.com.` };

function parseLogin(attributes: Attributes, security: Security): Parsed<ServerSettings['login']> {
  const credential = readCredential(attributes, EMAIL.credential);
  if (!credential) return { value: undefined };
  const user = readString(credential.attributes, 'username');
  const password = readSecret(credential.attributes, 'password');
  if (user === undefined || password === undefined || password === '')
    return {
      problem: `"${credential.name}" has no user name and password; choose a credential of the kind ${CREDENTIAL_KIND}.`,
    };
  if (security === 'none')
    return { problem: 'a password is not sent without TLS. Choose STARTTLS or TLS, or remove the credential.' };
  return { value: { user, password } };
}

function parseAnchors(text: string | undefined): Parsed<string | undefined> {
  if (text === undefined) return { value: undefined };
  try {
    const certificates = readPem(text).map(({ der }) => readCertificate(der));
    if (certificates.length === 0) return { problem: 'it contains no PEM certificate.' };
    return { value: writePemChain(certificates.map(({ der }) => der)) };
  } catch (error) {
    if (isPkiError(error)) return { problem: error.message };
    throw error;
  }
}
