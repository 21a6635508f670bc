// Forms of tokens. Libraries and tokens are offered as choices, not entered: the operator decides which libraries
// exist, and a token is identified by its serial number and label, because its slot can change.
import {
  callbackTo,
  dataAttribute,
  groupAttribute,
  infoAttribute,
  readString,
  rejected,
  validateAttributes,
  rejectIf,
  valueOf,
} from '@signetry/connector-sdk';
import {
  cryptographyProviderOperations,
  type BaseAttributeDto,
  type DataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { NONE_CONFIGURED, type Libraries, type Library } from '../libraries.ts';
import type { TokenFacts, TokenReference } from '../module/protocol.ts';
import { rejectionOf } from '../rejections.ts';
import type { TokenRow } from './token-store.ts';

export const TOKEN = { library: 'data_library', token: 'data_token' } as const;
export const ACTIVATION = { pin: 'data_pin', staysActive: 'data_staysActive' } as const;

/** Platforms store values under these UUIDs, so a number is never reused or changed. */
const uuid = (number: number): string => `8d1c2f64-3b7a-4c10-9e25-${String(number).padStart(12, '0')}`;

const introduction = (text: string) => infoAttribute({ uuid: uuid(1), name: 'info_pkcs11', label: 'PKCS#11', text });

const USUAL = `Token of an HSM, a smart card or SoftHSM. Its keys never leave it. The operator configures the available libraries (\`--pkcs11-libraries\`). The PIN is required to activate the token.`;

const libraryAttribute = (libraries: Libraries): DataAttribute =>
  dataAttribute({
    uuid: uuid(2),
    name: TOKEN.library,
    label: 'Library',
    contentType: 'string',
    required: true,
    choices: libraries.all.map(({ name, path }) => ({ reference: `${name} (${path})`, data: name })),
  });

export const tokenForm = (libraries: Libraries): BaseAttributeDto[] => {
  if (libraries.all.length === 0) return [introduction(`${NONE_CONFIGURED}.`)];
  const library = libraryAttribute(libraries);
  return [
    introduction(USUAL),
    library,
    groupAttribute({
      uuid: uuid(3),
      name: 'group_token',
      description: 'Tokens in the library',
      callback: callbackTo(cryptographyProviderOperations.getCreateTokenAttributes, {
        path: { option: valueOf(library) },
      }),
    }),
  ];
};

const tokenAttribute = (tokens: readonly TokenFacts[]): DataAttribute =>
  dataAttribute({
    uuid: uuid(4),
    name: TOKEN.token,
    label: 'Token',
    contentType: 'string',
    required: true,
    choices: tokens.map((token) => ({ reference: titleOf(token), data: nameOf(token) })),
  });

const nameOf = ({ serial, label }: TokenReference): string => `${serial}:${label}`;

const titleOf = (token: TokenFacts): string =>
  `${token.label} (${[token.manufacturer, token.model, `serial number ${token.serial}`].filter(Boolean).join(', ')})`;

/** Returns a library's tokens, which the form offers once the library is selected. */
export async function tokenChoices(libraries: Libraries, option: string): Promise<BaseAttributeDto[]> {
  const library = libraries.chosen(option);
  const tokens = await tokensOf(library);
  if (tokens.length > 0) return [tokenAttribute(tokens)];
  return [
    infoAttribute({
      uuid: uuid(5),
      name: 'info_noToken',
      label: 'No token',
      text: `Library ${library.name} has no initialized token. Initialize one with the vendor's tools.`,
    }),
  ];
}

async function tokensOf(library: Library): Promise<readonly TokenFacts[]> {
  try {
    return await library.look();
  } catch (error) {
    throw rejectionOf(error, { library, operation: 'describe' });
  }
}

export interface TokenSpec extends TokenReference {
  readonly library: string;
}

/**
 * Returns the token that the values specify. Throws 422 with a list of all problems. `present` is the token to change,
 * if any.
 */
export async function readTokenSpec(
  libraries: Libraries,
  given: readonly RequestAttributeDto[],
  present?: TokenRow,
): Promise<TokenSpec> {
  const form = tokenForm(libraries).filter(({ type }) => type !== 'group');
  if (libraries.all.length === 0) throw rejected(`${NONE_CONFIGURED}.`);
  rejectIf(validateAttributes(form, given, { allowUnknown: true }));
  const library = libraries.chosen(readString(given, TOKEN.library) ?? '');
  const wanted = readString(given, TOKEN.token);
  // A token can be renamed even if it is not currently connected.
  if (present && wanted === nameOf(present) && library.name === present.library) return present;
  const tokens = await tokensOf(library);
  if (tokens.length === 0) throw rejected(`Library ${library.name} has no initialized token.`);
  rejectIf(validateAttributes([...form, tokenAttribute(tokens)], given));
  const chosen = tokens.find((token) => nameOf(token) === wanted);
  if (!chosen) throw rejected(`Attribute "${TOKEN.token}" must specify a token in library ${library.name}.`);
  if (present && nameOf(chosen) !== nameOf(present))
    throw rejected(
      `The keys of "${present.name}" are on token ${nameOf(present)}. Add the other one as a separate token.`,
    );
  return { library: library.name, serial: chosen.serial, label: chosen.label };
}

export const activationForm: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(10),
    name: ACTIVATION.pin,
    label: 'User PIN',
    description: 'The PIN is tried once. The token counts wrong PINs and is locked after a few.',
    contentType: 'secret',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(11),
    name: ACTIVATION.staysActive,
    label: 'Stay active across restarts',
    description:
      'Stores the sealed PIN in the database. Otherwise, the PIN is only in memory: the token must be activated after each start and is active only on the node that received the request.',
    contentType: 'boolean',
    content: false,
  }),
];
