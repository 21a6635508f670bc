// Token forms: creation and update, and activation.
import {
  dataAttribute,
  infoAttribute,
  readBoolean,
  readSecret,
  rejectIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import { codeProblems, MIN_CODE_CHARACTERS } from '../tokens/activation-code.ts';
import { tokenAttributeUuid as uuid } from './attribute-uuids.ts';

export const TOKEN = {
  code: 'data_activationCode',
  newCode: 'data_newActivationCode',
  repeatedCode: 'data_repeatedActivationCode',
  staysActive: 'data_staysActive',
  allowsImport: 'data_allowsImport',
} as const;

const INTRODUCTION = `Stores keys encrypted in the database; they are never displayed.\n\n* The **activation code** unlocks the token. It cannot be recovered: without it, the keys are lost.\n* After a restart, the token must be **activated** again, unless it is set to stay active.\n* Deleting the token destroys its keys.`;

const RULES = `At least ${MIN_CODE_CHARACTERS} characters, not all identical.`;

const codeAttribute = dataAttribute({
  uuid: uuid(2),
  name: TOKEN.code,
  label: 'Activation code',
  description: `Required for a new token. ${RULES} For an existing token, its current code: required to change the code or to let the token stay active.`,
  contentType: 'secret',
});

const tokenForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_token', label: 'Software token', text: INTRODUCTION }),
  codeAttribute,
  dataAttribute({
    uuid: uuid(3),
    name: TOKEN.newCode,
    label: 'New activation code',
    description: `Changes the code of an existing token. ${RULES} Keys remain unchanged and usable.`,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: TOKEN.repeatedCode,
    label: 'Confirm activation code',
    description: 'Repeat the code of a new token, or the new code: a typing error would make the keys unusable.',
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: TOKEN.staysActive,
    label: 'Stay active across restarts',
    description:
      "For keys that must be usable unattended, such as a CA key. While the token is active, anyone with both the database and the platform's sealing key can use its keys without the code. The token is active in every process on the same database.",
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: TOKEN.allowsImport,
    label: 'Allow key import',
    description: 'Copies of imported keys may exist outside the token.',
    contentType: 'boolean',
    content: false,
  }),
];

export const tokenAttributes = (): BaseAttributeDto[] => [...tokenForm];

/** Token form values. Absent values leave the token unchanged. */
export interface TokenSpec {
  readonly code: string | undefined;
  readonly newCode: string | undefined;
  readonly staysActive: boolean | undefined;
  readonly allowsImport: boolean | undefined;
}

/** `check`: it is not known yet whether a token will be created or changed. */
type Use = 'create' | 'change' | 'check';

/** Rejects invalid attributes with a list of all problems. The code rules apply only to new codes. */
export function readTokenSpec(attributes: readonly RequestAttributeDto[], use: Use): TokenSpec {
  rejectIf(validateAttributes(tokenForm, attributes));
  const wish = {
    code: readSecret(attributes, TOKEN.code),
    newCode: readSecret(attributes, TOKEN.newCode),
    staysActive: readBoolean(attributes, TOKEN.staysActive),
    allowsImport: readBoolean(attributes, TOKEN.allowsImport),
  };
  rejectIf(problemsOf(wish, { use, repeated: readSecret(attributes, TOKEN.repeatedCode) }));
  return wish;
}

function problemsOf(
  { code, newCode }: TokenSpec,
  { use, repeated }: { readonly use: Use; readonly repeated: string | undefined },
): string[] {
  const set = use === 'create' ? code : use === 'change' ? newCode : (newCode ?? code);
  const problems = set === undefined ? [] : codeProblems(set);
  if (use === 'create' && code === undefined) problems.push(`A new token requires an activation code (${TOKEN.code}).`);
  if (use === 'create' && newCode !== undefined)
    problems.push(`A new activation code (${TOKEN.newCode}) can only be set for an existing token.`);
  if (use === 'change' && newCode !== undefined && code === undefined)
    problems.push(`Changing the activation code requires the current one (${TOKEN.code}).`);
  if (repeated !== undefined && set !== undefined && repeated !== set)
    problems.push(`The two activation codes do not match (${TOKEN.repeatedCode}).`);
  return problems;
}

export const activationAttributes = (): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(20),
    name: TOKEN.code,
    label: 'Activation code',
    description: 'Code of this token. Incorrect codes temporarily lock the token.',
    contentType: 'secret',
    required: true,
  }),
];

/** Returns the code in an activation request. Rejects the request if it contains none. */
export function readActivationCode(attributes: readonly RequestAttributeDto[]): string {
  rejectIf(validateAttributes(activationAttributes(), attributes));
  return readSecret(attributes, TOKEN.code) ?? '';
}
