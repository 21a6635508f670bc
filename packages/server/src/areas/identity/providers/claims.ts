// Extracts facts about a user or program from the claims that the provider's settings name. No other claims are ever
// read. Pure.
import { defaultProviderClaims, type ProviderClaims } from '@signetry/contract';
import { isObject } from '../../../kernel/is-object.ts';
import { isMailAddress } from '../users/mail-addresses.ts';
import { SignInRejected } from './verify-token.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
}

/** More roles or groups than any user has; each costs a comparison, and an unknown role may be created. */
const MAX_NAMES = { roles: 200, groups: 2_000 } as const;

/** Returns the person that the claims describe. `subject` and `issuer` come from a verified token. */
export function personOf(
  verified: { readonly issuer: string; readonly subject: string },
  claims: Claims,
  configured: ProviderClaims = {},
): ExternalPerson {
  const names = { ...defaultProviderClaims, ...definedMembers(configured) };
  const username = firstText(claims, names.username);
  if (username === undefined) throw new SignInRejected(`there is no claim ${quoted(names.username)}`);
  const firstName = firstText(claims, names.firstName);
  const lastName = firstText(claims, names.lastName);
  const claimedEmail = firstText(claims, names.email)?.trim() ?? '';
  // A malformed address at the provider does not prevent sign-in.
  const email = isMailAddress(claimedEmail) ? claimedEmail : undefined;
  return {
    ...verified,
    username,
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(email === undefined ? {} : { email }),
    roles: allTexts(claims, 'roles', names.roles),
    groups: allTexts(claims, 'groups', names.groups),
  };
}

const definedMembers = (configured: ProviderClaims): ProviderClaims =>
  Object.fromEntries(Object.entries(configured).filter(([, names]) => names !== undefined));

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' or ');

/**
 * Returns the value of a claim. A dot separates nested names, but names can also contain dots, e.g. client IDs and
 * URLs, so the longest name that exists is tried first.
 */
export function valueAt(claims: unknown, path: string): unknown {
  if (!isObject(claims) || Array.isArray(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    const value = Object.hasOwn(claims, name) ? valueAt(claims[name], path.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function firstText(claims: Claims, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = valueAt(claims, name);
    const text = Array.isArray(value) ? value.find(isText) : value;
    if (isText(text)) return text;
  }
  return undefined;
}

/** A missing claim means none, so that the loss of the last role or group also takes effect. */
function allTexts(claims: Claims, kind: keyof typeof MAX_NAMES, names: readonly string[]): string[] {
  const values = names.map((name) => valueAt(claims, name)).filter((value) => value !== undefined && value !== null);
  const isReadable = values.every((value) => typeof value === 'string' || Array.isArray(value));
  const texts = [...new Set(values.flat().filter(isText))];
  if (!isReadable || texts.length > MAX_NAMES[kind])
    throw new SignInRejected(`the claim ${quoted(names)} must be a name or a list of at most ${MAX_NAMES[kind]} names`);
  return texts;
}
