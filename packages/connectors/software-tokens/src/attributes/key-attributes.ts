// Key forms. A single list contains all specifications, so that no callback is required. A file field is added if the
// token allows key import.
import {
  dataAttribute,
  infoAttribute,
  readBoolean,
  readFile,
  readSecret,
  readString,
  rejectIf,
  validateAttributes,
  type FileContent,
} from '@signetry/connector-sdk';
import { KEY_PAIR_ATTRIBUTES, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import { hiddenCharacter } from '@signetry/pki';
import {
  PAIR_SPECIFICATIONS,
  secretSpecifications,
  specificationLabel,
  type PairSpecification,
  type SecretSpecification,
} from '../keys/key-specifications.ts';
import { keyAttributeUuid as uuid } from './attribute-uuids.ts';

export const KEY = {
  ...KEY_PAIR_ATTRIBUTES,
  specification: 'data_keySpecification',
  secretSpecification: 'data_secretSpecification',
} as const;

const MAX_ALIAS_CHARACTERS = 255;

const aliasAttribute = dataAttribute({
  uuid: uuid(2),
  name: KEY.alias,
  label: 'Alias',
  description: 'Name of the key, unique in its token.',
  contentType: 'string',
  required: true,
});

const choices = (specifications: readonly string[]) =>
  specifications.map((data) => ({ reference: specificationLabel(data), data }));

const specificationAttribute = (required: boolean) =>
  dataAttribute({
    uuid: uuid(3),
    name: KEY.specification,
    label: 'Algorithm and size',
    description: required
      ? 'Algorithm and size of the generated key.'
      : 'Algorithm and size of the generated key, unless a key is imported.',
    contentType: 'string',
    required,
    choices: choices(PAIR_SPECIFICATIONS),
  });

const fileAttributes = [
  dataAttribute({
    uuid: uuid(5),
    name: KEY.file,
    label: 'Key to import',
    description: 'A private key in PEM (PKCS #8), or a PKCS #12 file with one key. Replaces the algorithm.',
    group: 'Import',
    contentType: 'file',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: KEY.filePassword,
    label: 'File password',
    group: 'Import',
    contentType: 'secret',
  }),
];

const exportableAttribute = dataAttribute({
  uuid: uuid(7),
  name: KEY.exportable,
  label: 'Exportable',
  description:
    'Allows permitted users to export the private key, protected by a passphrase. Cannot be changed later. Default: no.',
  contentType: 'boolean',
  content: false,
});

/** `allowsImport` is the token's setting. */
export const pairAttributes = (allowsImport: boolean): BaseAttributeDto[] => [
  infoAttribute({
    uuid: uuid(1),
    name: 'info_keyPair',
    label: 'Key pair',
    text: 'The private key never leaves the token, unless it is created as exportable. ML-KEM keys can be stored and displayed, but no operation uses them yet. SLH-DSA signing is slow: the small variants (s) take seconds.',
  }),
  aliasAttribute,
  specificationAttribute(!allowsImport),
  ...(allowsImport ? fileAttributes : []),
  exportableAttribute,
];

export const secretAttributes = (): BaseAttributeDto[] => [
  aliasAttribute,
  dataAttribute({
    uuid: uuid(4),
    name: KEY.secretSpecification,
    label: 'Algorithm and size',
    description: 'AES for encryption, HMAC for authentication.',
    contentType: 'string',
    required: true,
    choices: choices(secretSpecifications),
  }),
];

export type PairOptions = { readonly alias: string; readonly isExportable: boolean } & (
  { readonly specification: PairSpecification } | { readonly file: FileContent; readonly password: string | undefined }
);

/** Rejects invalid attributes with a list of all problems. */
export function readPairOptions(attributes: readonly RequestAttributeDto[], allowsImport: boolean): PairOptions {
  rejectIf(validateAttributes(pairAttributes(allowsImport), attributes));
  const common = { alias: readAlias(attributes), isExportable: readBoolean(attributes, KEY.exportable) ?? false };
  const chosen = readString(attributes, KEY.specification);
  const specification = PAIR_SPECIFICATIONS.find((each) => each === chosen);
  const file = allowsImport ? readFile(attributes, KEY.file) : undefined;
  if (file && !specification) return { ...common, file, password: readSecret(attributes, KEY.filePassword) };
  if (specification && !file) return { ...common, specification };
  rejectIf([`Specify either an algorithm (${KEY.specification}) or a key to import (${KEY.file}).`]);
  throw new Error('An invalid key specification passed validation.');
}

export interface SecretOptions {
  readonly alias: string;
  readonly specification: SecretSpecification;
}

/** Rejects invalid attributes with a list of all problems. */
export function readSecretOptions(attributes: readonly RequestAttributeDto[]): SecretOptions {
  rejectIf(validateAttributes(secretAttributes(), attributes));
  const chosen = readString(attributes, KEY.secretSpecification);
  // The value was validated to be one of these specifications.
  const specification = secretSpecifications.find((each) => each === chosen) ?? 'AES-256';
  return { alias: readAlias(attributes), specification };
}

function readAlias(attributes: readonly RequestAttributeDto[]): string {
  const alias = readString(attributes, KEY.alias) ?? '';
  rejectIf(nameProblems(alias, `The alias (${KEY.alias})`));
  return alias;
}

/** Returns the problems with the name of a token or key. */
export function nameProblems(name: string, what: string): string[] {
  if (name.trim() === '') return [`${what} must not be blank.`];
  if (name.length > MAX_ALIAS_CHARACTERS) return [`${what} must not exceed ${MAX_ALIAS_CHARACTERS} characters.`];
  const hidden = name.isWellFormed() ? hiddenCharacter(name) : 'a lone surrogate';
  return hidden === undefined ? [] : [`${what} contains an invisible character: ${hidden}.`];
}
