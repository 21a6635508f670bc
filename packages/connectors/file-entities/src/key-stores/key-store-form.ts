// The forms of a location that is a key store: where it is and how it opens, and under which name an entry is.
import {
  dataAttribute,
  infoAttribute,
  readSecret,
  readString,
  refuseIf,
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
  isPathOfFile,
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

const INTRODUCTION = `A key store with any number of entries, each with a name (alias). It is made when its first certificate comes.

The store is written beside and put in place in one step; the previous one is kept, with the ending \`.previous\`. When the reload fails, it comes back. What is in the store beside the entry that changes stays as it is.`;

export const keyStoreForm = ({ transport, reloadCommands }: LocationFacts): BaseAttributeDto[] => [
  infoAttribute({ uuid: uuid(1), name: 'info_keyStore', label: 'Key store', text: INTRODUCTION }),
  dataAttribute({
    uuid: KEY_STORE_PATH_UUID,
    name: KEY_STORE.path,
    label: 'Path of the key store',
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
    label: 'Password of the key store',
    description: 'Also that of its keys.',
    contentType: 'secret',
    required: true,
  }),
  dataAttribute({
    uuid: KEY_STORE_TYPE_UUID,
    name: KEY_STORE.type,
    label: 'Type of the key store',
    description: 'JKS is for old programs only: its protection is weak.',
    contentType: 'string',
    required: true,
    choices: KEY_STORE_TYPES,
  }),
  dataAttribute({
    uuid: uuid(2),
    name: KEY_STORE.chain,
    label: 'Chain',
    description: 'Required without a choice.',
    contentType: 'string',
    choices: [
      { reference: 'Required: refuse a certificate whose issuer is not known', data: 'required' },
      { reference: 'As far as it is known', data: 'asKnown' },
    ],
  }),
  issuersField(),
  ...ownerFields(),
  dataAttribute({
    uuid: uuid(3),
    name: KEY_STORE.mode,
    label: 'Mode of the file',
    description: 'Without a choice, that of the present file; 0600 for a new one.',
    contentType: 'string',
    choices: KEY_MODES,
    group: 'Rights',
  }),
  ...reloadFields(reloadCommands),
  dataAttribute({
    uuid: uuid(4),
    name: KEY_STORE.onRemoval,
    label: 'When a certificate is removed',
    description: 'Delete the entry without a choice.',
    contentType: 'string',
    choices: [
      { reference: 'Delete the entry, also from the previous store', data: 'delete' },
      { reference: 'Put the previous entry back', data: 'restore' },
    ],
  }),
];

export const aliasField = () =>
  dataAttribute({
    uuid: ALIAS_UUID,
    name: ALIAS,
    label: 'Alias',
    description: 'Name of the entry; upper and lower case do not matter.',
    contentType: 'string',
    required: true,
    content: 'server',
  });

export const pushForm = (): BaseAttributeDto[] => [aliasField()];

export interface KeyStoreWish {
  readonly path: string;
  readonly password: string;
  readonly type: KeyStoreType;
  readonly needsChain: boolean;
  readonly issuers: readonly Certificate[];
  /** As `chown` takes it; undefined for that of the present file. */
  readonly owner: string | undefined;
  readonly mode: number | undefined;
  /** Name of the command. */
  readonly reloadCommand: string | undefined;
  readonly onRemoval: 'delete' | 'restore';
}

/** Refuses with everything that is wrong. */
export async function readKeyStoreWish(
  given: readonly RequestAttributeDto[],
  facts: LocationFacts,
): Promise<KeyStoreWish> {
  refuseIf(validateAttributes(keyStoreForm(facts), given));
  const text = (name: string): string | undefined => readString(given, name);
  const path = text(KEY_STORE.path) ?? '';
  const mode = text(KEY_STORE.mode);
  refuseIf([...(isPathOfFile(path) ? [] : [`"${path.slice(0, 60)}" is no path of a file.`]), ...ownerProblems(given)]);
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

/** Refuses what no tool could name afterwards. */
export function readAlias(given: readonly RequestAttributeDto[]): string {
  const alias = readString(given, ALIAS) ?? '';
  const isName = alias.trim() === alias && alias !== '' && alias.length <= MAX_ALIAS && !/\p{Cc}/u.test(alias);
  refuseIf(isName && alias.isWellFormed() ? [] : [`"${alias.slice(0, 60)}" is no name of an entry (${ALIAS}).`]);
  return alias;
}
