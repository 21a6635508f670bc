// Forms for a key store location: the store's path, password and type, and an entry's alias.
import {
  dataAttribute,
  infoAttribute,
  readSecret,
  readString,
  rejectIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import { KEY_STORE_TYPES, type KeyStoreType } from '@signetry/pki/node';
import {
  ALIAS_UUID,
  KEY_STORE_PASSWORD_UUID,
  KEY_STORE_PATH_UUID,
  KEY_STORE_TYPE_UUID,
  keyStoreLocationUuid as uuid,
} from '../attributes/attribute-uuids.ts';
import {
  isFilePath,
  issuersField,
  KEY_MODES,
  LOCATION,
  ownerFields,
  ownerProblems,
  readIssuers,
  readOwner,
  reloadFields,
  type LocationFacts,
} from '../locations/location-form.ts';

export const KEY_STORE = {
  path: 'keystorePath',
  password: 'keystorePassword',
  type: 'keystoreType',
  chain: 'data_chain',
  issuers: LOCATION.issuers,
  owner: LOCATION.owner,
  group: LOCATION.group,
  mode: 'data_fileMode',
  reloadCommand: LOCATION.reloadCommand,
  onRemoval: 'data_onEntryRemoval',
} as const;

export const ALIAS = 'alias';

const INTRODUCTION = `A key store with any number of entries, each identified by an alias. It is created when the first certificate is pushed.\n\nA new version of the store is written to a temporary file and then replaces the store in one step. The previous version is kept with the suffix \`.previous\` and restored if the reload fails. All other entries remain unchanged.`;

export const keyStoreForm = ({ transport, reloadCommands }: LocationFacts): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_keyStore', label: 'Key store', text: INTRODUCTION }),
  dataAttribute({
    uuid: KEY_STORE_PATH_UUID,
    name: KEY_STORE.path,
    label: 'Key store path',
    description:
      transport === 'local'
        ? 'Below the directory of the entity, e.g. keystore.p12.'
        : 'E.g. /opt/tomcat/conf/keystore.p12.',
    contentType: 'string',
    required: true,
  }),
  dataAttribute({
    uuid: KEY_STORE_PASSWORD_UUID,
    name: KEY_STORE.password,
    label: 'Key store password',
    description: 'Also the password of its keys.',
    contentType: 'secret',
    required: true,
  }),
  dataAttribute({
    uuid: KEY_STORE_TYPE_UUID,
    name: KEY_STORE.type,
    label: 'Key store type',
    description: 'JKS is only for legacy software: its protection is weak.',
    contentType: 'string',
    required: true,
    choices: KEY_STORE_TYPES,
  }),
  dataAttribute({
    uuid: uuid(2),
    name: KEY_STORE.chain,
    label: 'Chain',
    description: 'Default: required.',
    contentType: 'string',
    choices: [
      { reference: 'Required: reject certificates whose issuer is unknown', data: 'required' },
      { reference: 'Include only known issuers', data: 'asKnown' },
    ],
  }),
  issuersField(),
  ...ownerFields(),
  dataAttribute({
    uuid: uuid(3),
    name: KEY_STORE.mode,
    label: 'File mode',
    description: 'Default: the mode of the existing file, or 0600 for a new one.',
    contentType: 'string',
    choices: KEY_MODES,
    group: 'Rights',
  }),
  ...reloadFields(reloadCommands),
  dataAttribute({
    uuid: uuid(4),
    name: KEY_STORE.onRemoval,
    label: 'When a certificate is removed',
    description: 'Default: delete the entry.',
    contentType: 'string',
    choices: [
      { reference: 'Delete the entry, including from the previous store', data: 'delete' },
      { reference: 'Restore the previous entry', data: 'restore' },
    ],
  }),
];

export const aliasField = () =>
  dataAttribute({
    uuid: ALIAS_UUID,
    name: ALIAS,
    label: 'Alias',
    description: 'Entry name, not case-sensitive.',
    contentType: 'string',
    required: true,
    content: 'server',
  });

export const pushForm = (): BaseAttributeDto[] => [aliasField()];

export interface KeyStoreSpec {
  readonly path: string;
  readonly password: string;
  readonly type: KeyStoreType;
  readonly needsChain: boolean;
  readonly issuers: readonly Certificate[];
  /** In `chown` syntax; undefined keeps the owner of the existing file. */
  readonly owner: string | undefined;
  readonly mode: number | undefined;
  /** Name of the reload command. */
  readonly reloadCommand: string | undefined;
  readonly onRemoval: 'delete' | 'restore';
}

/** Reads the settings. Rejects invalid values, listing every problem. */
export async function readKeyStoreSpec(
  given: readonly RequestAttributeDto[],
  facts: LocationFacts,
): Promise<KeyStoreSpec> {
  rejectIf(validateAttributes(keyStoreForm(facts), given));
  const text = (name: string): string | undefined => readString(given, name);
  const path = text(KEY_STORE.path) ?? '';
  const mode = text(KEY_STORE.mode);
  rejectIf([...(isFilePath(path) ? [] : [`"${path.slice(0, 60)}" is not a file path.`]), ...ownerProblems(given)]);
  return {
    path,
    password: readSecret(given, KEY_STORE.password) ?? '',
    type: text(KEY_STORE.type) === 'JKS' ? 'JKS' : 'PKCS12',
    needsChain: text(KEY_STORE.chain) !== 'asKnown',
    issuers: await readIssuers(text(KEY_STORE.issuers)),
    owner: readOwner(given),
    mode: mode === undefined ? undefined : Number.parseInt(mode, 8),
    reloadCommand: text(KEY_STORE.reloadCommand),
    onRemoval: text(KEY_STORE.onRemoval) === 'restore' ? 'restore' : 'delete',
  };
}

const MAX_ALIAS = 200;

/** Reads the alias. Rejects aliases that no tool could refer to later. */
export function readAlias(given: readonly RequestAttributeDto[]): string {
  const alias = readString(given, ALIAS) ?? '';
  const isName = alias.trim() === alias && alias !== '' && alias.length <= MAX_ALIAS && !/\p{Cc}/u.test(alias);
  rejectIf(
    isName && alias.isWellFormed() ? [] : [`"${alias.slice(0, 60)}" cannot be used as an entry name (${ALIAS}).`],
  );
  return alias;
}
