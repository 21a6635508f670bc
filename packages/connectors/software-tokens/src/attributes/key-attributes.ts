// The forms of keys: one list with all specifications, so that a form needs no call-back; and a file, where the token
// allows the import of keys.
import {
  dataAttribute,
  infoAttribute,
  readFile,
  readSecret,
  readString,
  refuseIf,
  validateAttributes,
  type FileContent,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
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
  alias: 'data_keyAlias',
  specification: 'data_keySpecification',
  secretSpecification: 'data_secretSpecification',
  file: 'data_keyFile',
  filePassword: 'data_keyFilePassword',
} as const;

const MAX_ALIAS_CHARACTERS = 255;

const aliasAttribute = dataAttribute({
  uuid: uuid(2),
  name: KEY.alias,
  label: 'Alias',
  description: 'Name of the key in its token; no other key there has it.',
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
    description: required ? 'Of the key that is generated.' : 'Of the key that is generated, unless one is imported.',
    contentType: 'string',
    required,
    choices: choices(PAIR_SPECIFICATIONS),
  });

const fileAttributes = [
  dataAttribute({
    uuid: uuid(5),
    name: KEY.file,
    label: 'Key to import',
    description: 'A private key in PEM (PKCS#8), or a PKCS#12 file with one key. Instead of an algorithm.',
    group: 'Import',
    contentType: 'file',
  }),
  dataAttribute({
    uuid: uuid(6),
    name: KEY.filePassword,
    label: 'Password of the file',
    group: 'Import',
    contentType: 'secret',
  }),
];

/** `allowsImport` is what the token says. */
export const pairAttributes = (allowsImport: boolean): BaseAttributeDto[] => [
  infoAttribute({
    uuid: uuid(1),
    name: 'info_keyPair',
    label: 'Key pair',
    text: 'The private key never leaves the token. ML-KEM keys are kept and shown; there is no operation that uses them yet. SLH-DSA signs slowly: the small variants (s) take seconds.',
  }),
  aliasAttribute,
  specificationAttribute(!allowsImport),
  ...(allowsImport ? fileAttributes : []),
];

export const secretAttributes = (): BaseAttributeDto[] => [
  aliasAttribute,
  dataAttribute({
    uuid: uuid(4),
    name: KEY.secretSpecification,
    label: 'Algorithm and size',
    description: 'AES encrypts, HMAC authenticates.',
    contentType: 'string',
    required: true,
    choices: choices(secretSpecifications),
  }),
];

export type PairWish = { readonly alias: string } & (
  { readonly specification: PairSpecification } | { readonly file: FileContent; readonly password: string | undefined }
);

/** Refuses with everything that is wrong. */
export function readPairWish(attributes: readonly RequestAttributeDto[], allowsImport: boolean): PairWish {
  refuseIf(validateAttributes(pairAttributes(allowsImport), attributes));
  const alias = readAlias(attributes);
  const chosen = readString(attributes, KEY.specification);
  const specification = PAIR_SPECIFICATIONS.find((each) => each === chosen);
  const file = allowsImport ? readFile(attributes, KEY.file) : undefined;
  if (file && !specification) return { alias, file, password: readSecret(attributes, KEY.filePassword) };
  if (specification && !file) return { alias, specification };
  refuseIf([`Give either an algorithm (${KEY.specification}) or a key to import (${KEY.file}).`]);
  throw new Error('A wish got past its check.');
}

export interface SecretWish {
  readonly alias: string;
  readonly specification: SecretSpecification;
}

/** Refuses with everything that is wrong. */
export function readSecretWish(attributes: readonly RequestAttributeDto[]): SecretWish {
  refuseIf(validateAttributes(secretAttributes(), attributes));
  const chosen = readString(attributes, KEY.secretSpecification);
  const specification = secretSpecifications.find((each) => each === chosen) ?? 'AES-256'; // one of them, as checked
  return { alias: readAlias(attributes), specification };
}

function readAlias(attributes: readonly RequestAttributeDto[]): string {
  const alias = readString(attributes, KEY.alias) ?? '';
  refuseIf(nameProblems(alias, `The alias (${KEY.alias})`));
  return alias;
}

/** What is wrong with the name of a token or key. */
export function nameProblems(name: string, what: string): string[] {
  if (name.trim() === '') return [`${what} is blank.`];
  if (name.length > MAX_ALIAS_CHARACTERS) return [`${what} has more than ${MAX_ALIAS_CHARACTERS} characters.`];
  const hidden = name.isWellFormed() ? hiddenCharacter(name) : 'a lone surrogate';
  return hidden === undefined ? [] : [`${what} has a character that is not seen: ${hidden}.`];
}
