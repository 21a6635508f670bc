// The form of an entity: where the files are, and how the connector gets there.
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
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { entityUuid as uuid } from '../attributes/attribute-uuids.ts';

export const ENTITY = {
  transport: 'data_transport',
  directory: 'data_directory',
  host: 'data_host',
  port: 'data_port',
  username: 'data_username',
  password: 'data_password',
  privateKey: 'data_privateKey',
  passphrase: 'data_privateKeyPassphrase',
  hostKey: 'data_hostKey',
} as const;

const DEFAULT_PORT = 22;
const MAX_PORT = 65_535;

const NONE_CONFIGURED =
  'No directory of this machine is configured. The operator names those with files of servers, e.g. --entity-directories nginx=/etc/nginx/tls';

const INTRODUCTION = `A server that has its key and certificate in files, in PEM.

* **local**: the files are on this machine, below a directory that the operator named (\`--entity-directories\`).
* **ssh**: the files are on another machine. Its host key is remembered the first time; another one is refused.`;

const inGroup = (group: string) => ({ group });
const ssh = inGroup('SSH');

/** The attributes with values: `directories` are the names that the operator gave. */
export const entityFields = (directories: readonly string[]) => ({
  transport: dataAttribute({
    uuid: uuid(2),
    name: ENTITY.transport,
    label: 'Where the files are',
    contentType: 'string',
    required: true,
    choices: [
      { reference: 'On this machine', data: 'local' },
      { reference: 'On another machine, through SSH', data: 'ssh' },
    ],
  }),
  directory: dataAttribute({
    uuid: uuid(3),
    name: ENTITY.directory,
    label: 'Directory',
    description: `For files on this machine.${directories.length === 0 ? ` ${NONE_CONFIGURED}.` : ''}`,
    contentType: 'string',
    choices: directories,
  }),
  host: dataAttribute({ uuid: uuid(4), name: ENTITY.host, label: 'Host', contentType: 'string', ...ssh }),
  port: dataAttribute({
    uuid: uuid(5),
    name: ENTITY.port,
    label: 'Port',
    contentType: 'integer',
    content: DEFAULT_PORT,
    constraints: [inRange({ from: 1, to: MAX_PORT })],
    ...ssh,
  }),
  username: dataAttribute({ uuid: uuid(6), name: ENTITY.username, label: 'User', contentType: 'string', ...ssh }),
  password: dataAttribute({
    uuid: uuid(7),
    name: ENTITY.password,
    label: 'Password',
    description: 'Or a private key.',
    contentType: 'secret',
    ...ssh,
  }),
  privateKey: dataAttribute({
    uuid: uuid(8),
    name: ENTITY.privateKey,
    label: 'Private key',
    description: 'The content of the file, with its first and last line; in the form of OpenSSH or PEM.',
    contentType: 'secret',
    ...ssh,
  }),
  passphrase: dataAttribute({
    uuid: uuid(9),
    name: ENTITY.passphrase,
    label: 'Passphrase of the private key',
    contentType: 'secret',
    ...ssh,
  }),
  hostKey: dataAttribute({
    uuid: uuid(10),
    name: ENTITY.hostKey,
    label: 'Fingerprint of the host key',
    description:
      'As ssh-keygen -lf prints it, SHA256:… Without it, the key that the host shows first is remembered. To accept another key of a host that was set up anew, give its fingerprint here.',
    contentType: 'string',
    ...ssh,
  }),
});

export const entityForm = (directories: readonly string[]): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_files', label: 'Files of a server', text: INTRODUCTION }),
  ...Object.values(entityFields(directories)),
];

export interface SshSecrets {
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
}

export type EntityWish =
  | { readonly transport: 'local'; readonly directory: string }
  | {
      readonly transport: 'ssh';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly secrets: SshSecrets;
      readonly hostKey: string | undefined;
    };

/** Refuses with everything that is wrong. `keepsSecrets`: there are some already, which stay where none are given. */
export function readEntityWish(
  given: readonly RequestAttributeDto[],
  { directories, keepsSecrets = false }: { readonly directories: readonly string[]; readonly keepsSecrets?: boolean },
): EntityWish {
  refuseIf(validateAttributes(entityForm(directories), given));
  if (readString(given, ENTITY.transport) === 'local') {
    const directory = readString(given, ENTITY.directory);
    if (directories.length === 0) refuseIf([`${NONE_CONFIGURED}.`]);
    if (directory === undefined) refuseIf([`Files on this machine need a directory (${ENTITY.directory}).`]);
    return { transport: 'local', directory: directory ?? '' };
  }
  const host = readString(given, ENTITY.host) ?? '';
  const username = readString(given, ENTITY.username) ?? '';
  const hostKey = readString(given, ENTITY.hostKey);
  const privateKey = readSecret(given, ENTITY.privateKey);
  const secrets: SshSecrets = {
    password: readSecret(given, ENTITY.password),
    privateKey: privateKey === undefined ? undefined : withLines(privateKey),
    passphrase: readSecret(given, ENTITY.passphrase),
  };
  refuseIf([
    ...(host === '' ? [`SSH needs a host (${ENTITY.host}).`] : hostProblems(host)),
    ...(username === '' ? [`SSH needs a user (${ENTITY.username}).`] : []),
    ...(secrets.password === undefined && privateKey === undefined && !keepsSecrets
      ? [`SSH needs a password (${ENTITY.password}) or a private key (${ENTITY.privateKey}).`]
      : []),
    ...(hostKey !== undefined && !FINGERPRINT.test(hostKey)
      ? [`${ENTITY.hostKey} must be SHA256: and 43 characters of Base64, as ssh-keygen -lf prints it.`]
      : []),
  ]);
  const port = readInteger(given, ENTITY.port) ?? DEFAULT_PORT;
  return { transport: 'ssh', host, port, username, secrets, hostKey };
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

const hostProblems = (host: string): string[] =>
  /^[A-Za-z0-9._:-]{1,253}$/.test(host)
    ? []
    : [`${ENTITY.host} must be a host name or an address, without user, port or scheme.`];

/** Input fields of one line take the line breaks out of a key that is pasted into them. */
function withLines(text: string): string {
  const parts = /^\s*(-----BEGIN [A-Z0-9 ]+-----)([A-Za-z0-9+/=\s]+)(-----END [A-Z0-9 ]+-----)\s*$/.exec(text);
  if (!parts) return text;
  const [, begin = '', body = '', end = ''] = parts;
  const lines = body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return `${[begin, ...lines, end].join('\n')}\n`;
}
