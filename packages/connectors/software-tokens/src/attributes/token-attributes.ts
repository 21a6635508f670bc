// The forms of a token: to create and change it, and to activate it.
import {
  dataAttribute,
  infoAttribute,
  readBoolean,
  readSecret,
  refuseIf,
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

const INTRODUCTION = `Keeps keys encrypted in the database; they are never shown.

* The **activation code** opens the token. Nobody can restore it: without it, the keys are lost.
* After a restart the token has to be **activated** again, unless it stays active.
* Deleting the token destroys its keys.`;

const RULES = `At least ${MIN_CODE_CHARACTERS} characters, not all the same.`;

const codeAttribute = dataAttribute({
  uuid: uuid(2),
  name: TOKEN.code,
  label: 'Activation code',
  description: `Needed for a new token. ${RULES} Of an existing token, the present one: needed to change the code or let the token stay active.`,
  contentType: 'secret',
});

const tokenForm: readonly BaseAttributeDto[] = [
  infoAttribute({ uuid: uuid(1), name: 'info_token', label: 'Software token', text: INTRODUCTION }),
  codeAttribute,
  dataAttribute({
    uuid: uuid(3),
    name: TOKEN.newCode,
    label: 'New activation code',
    description: `Changes the code of an existing token. ${RULES} Keys and their use stay as they are.`,
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(4),
    name: TOKEN.repeatedCode,
    label: 'Activation code again',
    description:
      'The code of a new token, or the new code, once more: a mistake in typing would make the keys useless.',
    contentType: 'secret',
  }),
  dataAttribute({
    uuid: uuid(5),
    name: TOKEN.staysActive,
    label: 'Stay active across restarts',
    description:
      'For keys that are needed without anybody present, such as that of a CA. While the token is active, whoever has both the database and the sealing key of the platform can use its keys without the code. It is active in every process on the same database.',
    contentType: 'boolean',
    content: false,
  }),
  dataAttribute({
    uuid: uuid(6),
    name: TOKEN.allowsImport,
    label: 'Allow the import of keys',
    description: 'Keys that were made elsewhere may have copies there.',
    contentType: 'boolean',
    content: false,
  }),
];

export const tokenAttributes = (): BaseAttributeDto[] => [...tokenForm];

/** What the form says of a token; absent values leave a token as it is. */
export interface TokenWish {
  readonly code: string | undefined;
  readonly newCode: string | undefined;
  readonly staysActive: boolean | undefined;
  readonly allowsImport: boolean | undefined;
}

/** `check`: nobody says yet whether a token is to be made or changed. */
type Use = 'create' | 'change' | 'check';

/** Refuses with everything that is wrong. The rules of codes hold for those that are to be set. */
export function readTokenWish(attributes: readonly RequestAttributeDto[], use: Use): TokenWish {
  refuseIf(validateAttributes(tokenForm, attributes));
  const wish = {
    code: readSecret(attributes, TOKEN.code),
    newCode: readSecret(attributes, TOKEN.newCode),
    staysActive: readBoolean(attributes, TOKEN.staysActive),
    allowsImport: readBoolean(attributes, TOKEN.allowsImport),
  };
  refuseIf(problemsOf(wish, { use, repeated: readSecret(attributes, TOKEN.repeatedCode) }));
  return wish;
}

function problemsOf(
  { code, newCode }: TokenWish,
  { use, repeated }: { readonly use: Use; readonly repeated: string | undefined },
): string[] {
  const set = use === 'create' ? code : use === 'change' ? newCode : (newCode ?? code);
  const problems = set === undefined ? [] : codeProblems(set);
  if (use === 'create' && code === undefined) problems.push(`A new token needs an activation code (${TOKEN.code}).`);
  if (use === 'create' && newCode !== undefined)
    problems.push(`A new code (${TOKEN.newCode}) is for a token that exists; a new token has one code.`);
  if (use === 'change' && newCode !== undefined && code === undefined)
    problems.push(`To change the code, give the present one as well (${TOKEN.code}).`);
  if (repeated !== undefined && set !== undefined && repeated !== set)
    problems.push(`The two codes differ (${TOKEN.repeatedCode}).`);
  return problems;
}

export const activationAttributes = (): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(20),
    name: TOKEN.code,
    label: 'Activation code',
    description: 'That of this token. Wrong codes lock it for a while.',
    contentType: 'secret',
    required: true,
  }),
];

/** The code of an activation; refuses when there is none. */
export function readActivationCode(attributes: readonly RequestAttributeDto[]): string {
  refuseIf(validateAttributes(activationAttributes(), attributes));
  return readSecret(attributes, TOKEN.code) ?? '';
}
