// Converts between the form values of an identity provider and the platform's DTOs.
import type { OAuth2ProviderSettingsUpdateDto } from '@signetry/contract';
import type { IdentityProvider } from './shapes.ts';

export interface ProviderValues {
  readonly name: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly jwkSetUrl: string;
  /** JSON text in the form; the API requires it to be Base64-encoded. */
  readonly jwkSet: string;
  readonly logoutUrl: string;
  readonly postLogoutUrl: string;
  readonly userInfoUrl: string;
  readonly scope: readonly string[];
  readonly audiences: readonly string[];
  readonly skew: number;
  readonly sessionMaxInactiveInterval: number;
}

export const newValues: ProviderValues = {
  name: '',
  issuerUrl: '',
  clientId: '',
  clientSecret: '',
  authorizationUrl: '',
  tokenUrl: '',
  jwkSetUrl: '',
  jwkSet: '',
  logoutUrl: '',
  postLogoutUrl: '',
  userInfoUrl: '',
  scope: ['profile', 'email'],
  audiences: [],
  skew: 30,
  sessionMaxInactiveInterval: 900,
};

export const valuesOf = ({
  uuid: _uuid,
  jwkSetKeys: _keys,
  jwkSet,
  ...provider
}: IdentityProvider): ProviderValues => ({
  ...newValues,
  scope: [],
  ...provider,
  jwkSet: jwkSet ? fromBase64(jwkSet) : '',
});

/** Omits empty values, so an existing client secret remains unchanged if none is entered. */
export function requestOf({ name: _name, jwkSet, ...values }: ProviderValues): OAuth2ProviderSettingsUpdateDto {
  const entries = Object.entries(values).map(([field, value]) => [
    field,
    typeof value === 'string' ? value.trim() : value,
  ]);
  const filled = Object.fromEntries(entries.filter(([, value]) => value !== ''));
  return { ...filled, ...(jwkSet.trim() === '' ? {} : { jwkSet: toBase64(jwkSet.trim()) }) };
}

const toBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

const fromBase64 = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0));
