// The form of an entity: where the files are, and how the connector accesses them.
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
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { entityUuid, HOST_UUID, keyStoreEntityUuid } from '../attributes/attribute-uuids.ts';
import type { Kind } from '../declaration.ts';

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

/** Attribute names for key store entities: the established names where they exist. */
export const KEY_STORE_ENTITY = {
  ...ENTITY,
  host: 'host',
  username: 'username',
  password: 'password',
} as const;

type EntityNames = { readonly [Name in keyof typeof ENTITY]: string };

const entityNames = (kind: Kind): EntityNames => (kind === 'PEM' ? ENTITY : KEY_STORE_ENTITY);

const DEFAULT_PORT = 22;
const MAX_PORT = 65_535;

const NONE_CONFIGURED =
  'No directory of this machine is configured. The operator specifies the directories that contain server files, e.g. --entity-directories nginx=/etc/nginx/tls';

const introduction = (kind: Kind): string => `${
  kind === 'PEM'
    ? 'A server with its key and certificate in PEM files.'
    : 'A server with its keys and certificates in key stores, as used by Java: PKCS #12 or JKS.'
}

* **local**: the files are on this machine, below a directory that the operator named (\`--entity-directories\`).
* **ssh**: the files are on another machine. Its host key is remembered on the first connection; a different key is
* rejected.`;

const inGroup = (group: string) => ({ group });
const ssh = inGroup('SSH');

export interface EntityFacts {
  readonly kind: Kind;
  /** Names assigned by the operator. */
  readonly directories: readonly string[];
}

/** Returns the attributes that have values. */
export function entityFields({ kind, directories }: EntityFacts) {
  const names = entityNames(kind);
  const uuid = kind === 'PEM' ? entityUuid : keyStoreEntityUuid;
  return {
    transport: dataAttribute({
      uuid: uuid(2),
      name: names.transport,
      label: 'File access',
      contentType: 'string',
      required: true,
      choices: [
        { reference: 'On this machine', data: 'local' },
        { reference: 'On another machine, over SSH', data: 'ssh' },
      ],
    }),
    directory: dataAttribute({
      uuid: uuid(3),
      name: names.directory,
      label: 'Directory',
      description: `For files on this machine.${directories.length === 0 ? ` ${NONE_CONFIGURED}.` : ''}`,
      contentType: 'string',
      choices: directories,
    }),
    ...sshFields(kind),
  };
}

function sshFields(kind: Kind) {
  const names = entityNames(kind);
  const uuid = kind === 'PEM' ? entityUuid : keyStoreEntityUuid;
  return {
    host: dataAttribute({
      uuid: kind === 'PEM' ? uuid(4) : HOST_UUID,
      name: names.host,
      label: 'Host',
      contentType: 'string',
      ...ssh,
    }),
    port: dataAttribute({
      uuid: uuid(5),
      name: names.port,
      label: 'Port',
      contentType: 'integer',
      content: DEFAULT_PORT,
      constraints: [inRange({ from: 1, to: MAX_PORT })],
      ...ssh,
    }),
    username: dataAttribute({ uuid: uuid(6), name: names.username, label: 'User', contentType: 'string', ...ssh }),
    password: dataAttribute({
      uuid: uuid(7),
      name: names.password,
      label: 'Password',
      description: 'Alternatively, specify a private key.',
      contentType: 'secret',
      ...ssh,
    }),
    privateKey: dataAttribute({
      uuid: uuid(8),
      name: names.privateKey,
      label: 'Private key',
      description: 'Complete contents of the key file, including the first and last lines, in OpenSSH or PEM format.',
      contentType: 'secret',
      ...ssh,
    }),
    passphrase: dataAttribute({
      uuid: uuid(9),
      name: names.passphrase,
      label: 'Private key passphrase',
      contentType: 'secret',
      ...ssh,
    }),
    hostKey: dataAttribute({
      uuid: uuid(10),
      name: names.hostKey,
      label: 'Host key fingerprint',
      description:
        'SHA256:…, as printed by ssh-keygen -lf. If empty, the first host key that the server presents is remembered. To accept a different key after the host was reinstalled, enter its fingerprint here.',
      contentType: 'string',
      ...ssh,
    }),
  };
}

export const entityForm = (facts: EntityFacts): BaseAttributeDto[] => [
  facts.kind === 'PEM'
    ? infoAttribute({ uuid: entityUuid(1), name: 'info_files', label: 'Server files', text: introduction('PEM') })
    : infoAttribute({
        uuid: keyStoreEntityUuid(1),
        name: 'info_keyStores',
        label: 'Server key stores',
        text: introduction('Keystore'),
      }),
  ...Object.values(entityFields(facts)),
];

export interface SshSecrets {
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
}

export type EntitySpec =
  | { readonly transport: 'local'; readonly directory: string }
  | {
      readonly transport: 'ssh';
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly secrets: SshSecrets;
      readonly hostKey: string | undefined;
    };

/**
 * Reads the request. Rejects invalid values, listing every problem. If `keepsSecrets` is set, secrets are already
 * stored and are kept unless new ones are specified.
 */
export function readEntitySpec(
  given: readonly RequestAttributeDto[],
  { kind, directories, keepsSecrets = false }: EntityFacts & { readonly keepsSecrets?: boolean },
): EntitySpec {
  const names = entityNames(kind);
  rejectIf(validateAttributes(entityForm({ kind, directories }), given));
  if (readString(given, names.transport) === 'local') {
    const directory = readString(given, names.directory);
    if (directories.length === 0) rejectIf([`${NONE_CONFIGURED}.`]);
    if (directory === undefined) rejectIf([`Files on this machine require a directory (${names.directory}).`]);
    return { transport: 'local', directory: directory ?? '' };
  }
  const host = readString(given, names.host) ?? '';
  const username = readString(given, names.username) ?? '';
  const hostKey = readString(given, names.hostKey);
  const privateKey = readSecret(given, names.privateKey);
  const secrets: SshSecrets = {
    password: readSecret(given, names.password),
    privateKey: privateKey === undefined ? undefined : withLines(privateKey),
    passphrase: readSecret(given, names.passphrase),
  };
  rejectIf([
    ...(host === '' ? [`SSH requires a host (${names.host}).`] : hostProblems(names.host, host)),
    ...(username === '' ? [`SSH requires a user (${names.username}).`] : []),
    ...(secrets.password === undefined && privateKey === undefined && !keepsSecrets
      ? [`SSH requires a password (${names.password}) or a private key (${names.privateKey}).`]
      : []),
    ...(hostKey !== undefined && !FINGERPRINT.test(hostKey)
      ? [`${names.hostKey} must be SHA256: followed by 43 Base64 characters, as printed by ssh-keygen -lf.`]
      : []),
  ]);
  const port = readInteger(given, names.port) ?? DEFAULT_PORT;
  return { transport: 'ssh', host, port, username, secrets, hostKey };
}

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

const hostProblems = (name: string, host: string): string[] =>
  /^[A-Za-z0-9._:-]{1,253}$/.test(host)
    ? []
    : [`${name} must be a host name or an IP address, without user, port or scheme.`];

/** Restores the line breaks that single-line input fields remove from a pasted key. */
function withLines(text: string): string {
  const parts = /^\s*(-----BEGIN [A-Z0-9 ]+-----)([A-Za-z0-9+/=\s]+)(-----END [A-Z0-9 ]+-----)\s*$/.exec(text);
  if (!parts) return text;
  const [, begin = '', body = '', end = ''] = parts;
  const lines = body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return `${[begin, ...lines, end].join('\n')}\n`;
}
