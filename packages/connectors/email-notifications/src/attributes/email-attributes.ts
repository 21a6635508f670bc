// The form of an instance: the server, the sender, and what mails say.
import {
  credentialsOfKind,
  dataAttribute,
  infoAttribute,
  inRange,
  readCredential,
  readInteger,
  readSecret,
  readString,
  refuseIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import { parseConsoleUrl } from '@signetry/connector-sdk/notification';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { isPkiError, readCertificate, readPem, writePemChain } from '@signetry/pki';
import { DEFAULT_TEMPLATES } from '../templates/default-templates.ts';
import { PLACEHOLDERS } from '../templates/placeholders.ts';
import { parseTemplates, type Templates } from '../templates/templates.ts';
import { isMailAddress } from './mail-address.ts';
import { formUuid as uuid } from './attribute-uuids.ts';

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
  { reference: 'TLS from the beginning (port 465)', data: 'tls' },
  { reference: 'None: everybody on the way can read along (port 25)', data: 'none' },
];

const INTRODUCTION = `Sends a mail to each recipient who has an address.

* The server is connected to when this is saved: a wrong password shows at once. No mail is sent then.
* Placeholders in double braces stand for facts: ${Object.keys(PLACEHOLDERS)
  .map((name) => `\`{{${name}}}\``)
  .join(', ')}.
  One that an event does not have stays empty.`;

const DEFAULTS = { port: 587, connections: 5, timeoutSeconds: 20 };
/** Kind of credential with a user and a password. */
const CREDENTIAL_KIND = 'Basic';
const SERVER = 'Mail server';
const SENDER = 'Sender';
const MAIL = 'Mail';

const serverFields: readonly BaseAttributeDto[] = [
  dataAttribute({
    uuid: uuid(2),
    name: EMAIL.host,
    label: 'Host',
    description: 'Name or address of the SMTP server, e.g. smtp.example.com.',
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
    label: 'Protection of the connection',
    group: SERVER,
    contentType: 'string',
    required: true,
    choices: SECURITIES,
  }),
  dataAttribute({
    uuid: uuid(5),
    name: EMAIL.credential,
    label: 'Credential',
    description: 'User and password, where the server asks for them. They are sent through TLS only.',
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
      'In PEM. The certificate of the server has to be issued below one of them; without them, below those that this machine trusts.',
    group: SERVER,
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(7),
    name: EMAIL.connections,
    label: 'Connections at the same time',
    group: SERVER,
    contentType: 'integer',
    content: DEFAULTS.connections,
    constraints: [inRange({ from: 1, to: 50 })],
  }),
  dataAttribute({
    uuid: uuid(8),
    name: EMAIL.timeoutSeconds,
    label: 'Time-out in seconds',
    description: 'For a mail, with the connection if there is none yet.',
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
    label: 'Address of the sender',
    description: 'One from which the server accepts mail, e.g. pki@example.com.',
    group: SENDER,
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(10),
    name: EMAIL.senderName,
    label: 'Name of the sender',
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
    description: 'For readers without HTML.',
    group: MAIL,
    contentType: 'text',
    content: DEFAULT_TEMPLATES.text,
  }),
  dataAttribute({
    uuid: uuid(13),
    name: EMAIL.html,
    label: 'HTML',
    description: 'Placeholders stand between elements, not in them. Scripts and forms are refused.',
    group: MAIL,
    contentType: 'text',
    content: DEFAULT_TEMPLATES.html,
  }),
  dataAttribute({
    uuid: uuid(14),
    name: EMAIL.consoleUrl,
    label: 'Address of the console',
    description: 'For links to what a mail is about, e.g. https://pki.example.com.',
    group: MAIL,
    contentType: 'string',
  }),
];

const emailForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_email', label: 'E-mail', text: INTRODUCTION }),
  ...serverFields,
  ...mailFields,
];

export const emailAttributes = (): BaseAttributeDto[] => [...emailForm];

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly security: Security;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** PEM; those of this machine where absent. */
  readonly trustAnchors: string | undefined;
  readonly connections: number;
  /** For a mail, with its connection. */
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

/** Refuses with everything that is wrong. */
export function readEmailSettings(attributes: Attributes): EmailSettings {
  refuseIf(validateAttributes(emailForm, attributes));
  const problems: string[] = [];
  const take = <Value>(label: string, parsed: Parsed<Value>, fallback: Value): Value => {
    if ('value' in parsed) return parsed.value;
    problems.push(`${label}: ${parsed.problem}`);
    return fallback;
  };
  const security = (readString(attributes, EMAIL.security) ?? 'starttls') as Security; // a choice, which was checked
  const { templates, problems: ofTemplates } = parseTemplates({
    subject: readString(attributes, EMAIL.subject) ?? DEFAULT_TEMPLATES.subject,
    text: readString(attributes, EMAIL.text) ?? DEFAULT_TEMPLATES.text,
    html: readString(attributes, EMAIL.html) ?? DEFAULT_TEMPLATES.html,
  });
  const settings: EmailSettings = {
    server: {
      host: take('Host', parseHost(readString(attributes, EMAIL.host) ?? ''), ''),
      port: readInteger(attributes, EMAIL.port) ?? DEFAULTS.port,
      security,
      login: take('Credential', parseLogin(attributes, security), undefined),
      trustAnchors: take(
        'Trusted CA certificates',
        parseAnchors(readString(attributes, EMAIL.trustAnchors)),
        undefined,
      ),
      connections: readInteger(attributes, EMAIL.connections) ?? DEFAULTS.connections,
      timeoutMs: (readInteger(attributes, EMAIL.timeoutSeconds) ?? DEFAULTS.timeoutSeconds) * 1000,
    },
    sender: {
      address: take('Address of the sender', parseAddress(readString(attributes, EMAIL.senderAddress) ?? ''), ''),
      name: readString(attributes, EMAIL.senderName) ?? '',
    },
    templates,
    consoleUrl: take('Address of the console', parseConsoleUrl(readString(attributes, EMAIL.consoleUrl)), undefined),
  };
  refuseIf([...problems, ...ofTemplates]);
  return settings;
}

const parseHost = (host: string): Parsed<string> =>
  /^[A-Za-z0-9._:-]{1,253}$/.test(host)
    ? { value: host }
    : { problem: 'it must be a host name or an address, without port or scheme.' };

const parseAddress = (address: string): Parsed<string> =>
  isMailAddress(address) ? { value: address } : { problem: `"${address}" is no address such as pki@example.com.` };

function parseLogin(attributes: Attributes, security: Security): Parsed<ServerSettings['login']> {
  const credential = readCredential(attributes, EMAIL.credential);
  if (!credential) return { value: undefined };
  const user = readString(credential.attributes, 'username');
  const password = readSecret(credential.attributes, 'password');
  if (user === undefined || password === undefined || password === '')
    return { problem: `"${credential.name}" has no user and password; choose one of the kind ${CREDENTIAL_KIND}.` };
  if (security === 'none')
    return { problem: 'a password is not sent without TLS. Choose STARTTLS or TLS, or no credential.' };
  return { value: { user, password } };
}

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
