// The forms of tokens. Libraries and tokens are offered, not typed in: which libraries there are is the operator's
// decision, and a token is found by its serial number and label, because its slot may change.
import {
  callbackTo,
  dataAttribute,
  groupAttribute,
  infoAttribute,
  readString,
  rejected,
  validateAttributes,
  refuseIf,
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
import { refusalOf } from '../refusals.ts';
import type { TokenRow } from './token-store.ts';

export const TOKEN = { library: 'data_library', token: 'data_token' } as const;
export const ACTIVATION = { pin: 'data_pin', staysActive: 'data_staysActive' } as const;

/** Platforms keep values under these, so a number is never reused or changed. */
const uuid = (number: number): string => `8d1c2f64-3b7a-4c10-9e25-${String(number).padStart(12, '0')}`;

const introduction = (text: string) => infoAttribute({ uuid: uuid(1), name: 'info_pkcs11', label: 'PKCS#11', text });

const USUAL = `A token of an HSM or a smart card, or of SoftHSM, whose keys never leave it. The operator decides which libraries there are (\`--pkcs11-libraries\`). The PIN is asked for when the token is activated.`;

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
      description: 'Tokens of the library',
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

/** The tokens of a library, as the form offers them once the library is chosen. */
export async function tokenChoices(libraries: Libraries, option: string): Promise<BaseAttributeDto[]> {
  const library = libraries.chosen(option);
  const tokens = await tokensOf(library);
  if (tokens.length > 0) return [tokenAttribute(tokens)];
  return [
    infoAttribute({
      uuid: uuid(5),
      name: 'info_noToken',
      label: 'No token',
      text: `The library ${library.name} shows no initialized token. Initialize one with the tools of its vendor.`,
    }),
  ];
}

async function tokensOf(library: Library): Promise<readonly TokenFacts[]> {
  try {
    return await library.look();
  } catch (error) {
    throw refusalOf(error, { library, operation: 'describe' });
  }
}

export interface TokenWish extends TokenReference {
  readonly library: string;
}

/** The token that the values name; refuses (422) every problem. `present` is the token that is changed, if one is. */
export async function readTokenWish(
  libraries: Libraries,
  given: readonly RequestAttributeDto[],
  present?: TokenRow,
): Promise<TokenWish> {
  const form = tokenForm(libraries).filter(({ type }) => type !== 'group');
  if (libraries.all.length === 0) throw rejected(`${NONE_CONFIGURED}.`);
  refuseIf(validateAttributes(form, given, { allowUnknown: true }));
  const library = libraries.chosen(readString(given, TOKEN.library) ?? '');
  const wanted = readString(given, TOKEN.token);
  // A token that is away can still get another name.
  if (present && wanted === nameOf(present) && library.name === present.library) return present;
  const tokens = await tokensOf(library);
  if (tokens.length === 0) throw rejected(`The library ${library.name} shows no initialized token.`);
  refuseIf(validateAttributes([...form, tokenAttribute(tokens)], given));
  const chosen = tokens.find((token) => nameOf(token) === wanted);
  if (!chosen) throw rejected(`Attribute "${TOKEN.token}" names no token of the library ${library.name}.`);
  if (present && nameOf(chosen) !== nameOf(present))
    throw rejected(
      `The keys of "${present.name}" are on the token ${nameOf(present)}; add the other one as a token of its own.`,
    );
  return { library: library.name, serial: chosen.serial, label: chosen.label };
}

export const activationForm: readonly DataAttribute[] = [
  dataAttribute({
    uuid: uuid(10),
    name: ACTIVATION.pin,
    label: 'User PIN',
    description: 'It is tried once. The token counts wrong ones and locks after some.',
    contentType: 'secret',
    required: true,
  }),
  dataAttribute({
    uuid: uuid(11),
    name: ACTIVATION.staysActive,
    label: 'Stays active across restarts',
    description:
      'Keeps the PIN, sealed, in the database. Otherwise it is in memory only, and the token is activated after each start, on the node that was asked.',
    contentType: 'boolean',
    content: false,
  }),
];
