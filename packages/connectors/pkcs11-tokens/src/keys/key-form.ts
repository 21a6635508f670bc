// Key forms. They offer the keys that the token can generate, based on the mechanisms that it reports.
import { dataAttribute, infoAttribute, matching } from '@signetry/connector-sdk';
import type { BaseAttributeDto } from '@signetry/contract';
import type { KeyPairSpec, SecretSpec } from './key-specs.ts';

export const KEY = { alias: 'data_keyAlias', algorithm: 'data_keyAlgorithm', uses: 'data_keyUses' } as const;

const KEY_USES = ['sign', 'decrypt'];

/** Platforms store values under these UUIDs, so a number is never reused or changed. */
const uuid = (number: number): string => `8d1c2f64-3b7a-4c20-9e25-${String(number).padStart(12, '0')}`;

const alias = dataAttribute({
  uuid: uuid(1),
  name: KEY.alias,
  label: 'Label',
  description: 'CKA_LABEL of the key, by which other programs can also find it',
  contentType: 'string',
  required: true,
  constraints: [matching('[A-Za-z0-9][A-Za-z0-9 ._:-]{0,63}', 'Letters, digits, spaces and . _ : -, at most 64.')],
});

const algorithm = (number: number, names: readonly string[]) =>
  dataAttribute({
    uuid: uuid(number),
    name: KEY.algorithm,
    label: 'Algorithm',
    contentType: 'string',
    required: true,
    choices: [...names],
  });

const uses = dataAttribute({
  uuid: uuid(4),
  name: KEY.uses,
  label: 'RSA key uses',
  description: 'Default: both. Tokens in FIPS mode may allow only one of them.',
  contentType: 'string',
  multiSelect: true,
  choices: KEY_USES,
});

const noMechanismInfo = (what: string): BaseAttributeDto[] => [
  infoAttribute({
    uuid: uuid(5),
    name: 'info_noMechanism',
    label: 'No supported mechanism',
    text: `This token cannot generate ${what}.`,
  }),
];

export function keyPairForm(offered: readonly KeyPairSpec[]): BaseAttributeDto[] {
  if (offered.length === 0) return noMechanismInfo('key pairs');
  const form = [
    alias,
    algorithm(
      2,
      offered.map(({ name }) => name),
    ),
  ];
  return offered.some(({ canDecrypt }) => canDecrypt) ? [...form, uses] : form;
}

export function secretKeyForm(offered: readonly SecretSpec[]): BaseAttributeDto[] {
  if (offered.length === 0) return noMechanismInfo('secret keys');
  return [
    alias,
    algorithm(
      3,
      offered.map(({ name }) => name),
    ),
  ];
}
