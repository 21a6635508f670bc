// How the platform authenticates to a connector: converts interface attributes to headers and TLS options.
import { validateHeaderValue } from 'node:http';
import { createSecureContext } from 'node:tls';
import type { AuthType, DataAttribute, RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { isPkiError } from '@signetry/pki';
import { pkcs12Identity, readPkcs12 } from '@signetry/pki/node';
import { rejected } from '../../kernel/errors.ts';
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { EgressDispatcherOptions } from '../../platform/net/egress.ts';
import { checkPlatformValues, retainSecrets, maskSecrets } from '../attributes/index.ts';
import { authAttributes } from './auth-attributes.ts';
import { isObject } from '../../kernel/is-object.ts';

type ContentItem = RequestAttributeDto['content'][number];

/** A connector's authentication settings, including secrets. */
export interface AuthSettings {
  readonly authType: AuthType;
  readonly attributes: readonly RequestAttributeDto[];
}

export interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: EgressDispatcherOptions['tls'];
}

/** Headers that the request itself uses; an API key in one of these headers would break the request. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'accept',
  'idempotency-key',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'user-agent',
]);

/** Returns the attribute definitions of an authentication type. */
export const definitionsFor = (authType: AuthType): readonly DataAttribute[] => authAttributes[authType];

/** Validates settings from a caller; returns them in their stored form. */
export async function acceptAuthSettings(
  authType: AuthType,
  requested: readonly RequestAttributeDto[] | undefined,
): Promise<AuthSettings> {
  const attributes = checkPlatformValues(definitionsFor(authType), requested ?? []);
  const settings = { authType, attributes };
  const { tls, headers } = authenticationOf(settings);
  for (const [name, value] of Object.entries(headers)) assertHeader(name, value);
  if (tls) await assertTls(tls);
  return settings;
}

function assertHeader(name: string, value: string): void {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name); // RFC 9110 §5.1
  if (!isToken || RESERVED_HEADERS.has(name.toLowerCase()))
    throw rejected('The API key header must be a valid HTTP header name, and not one that every request uses itself.');
  try {
    validateHeaderValue(name, value);
  } catch {
    throw rejected('The API key contains characters that are not allowed in an HTTP header.');
  }
}

async function assertTls(tls: NonNullable<Authentication['tls']>): Promise<void> {
  const { pfx = Buffer.alloc(0), passphrase = '' } = tls;
  try {
    // Limits the work first: OpenSSL would otherwise do all the work that the file requires, which blocks the process.
    pkcs12Identity(await readPkcs12(pfx, { password: passphrase }));
    createSecureContext({ pfx, passphrase });
  } catch (error) {
    const reason = isPkiError(error) ? ` (${error.message.replace(/\.$/, '')})` : '';
    throw rejected(
      `Cannot open the key store${reason}: it must be a PKCS #12 file with a certificate and private key, and the password must be correct.`,
    );
  }
  if (tls.ca === undefined) return;
  try {
    if (!tls.ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate');
    createSecureContext({ ca: tls.ca });
  } catch {
    throw rejected('Cannot read the trust store: it must be a file of PEM certificates.');
  }
}

/** Returns the headers and TLS options for all calls to a connector; tokens are generated per call (`tokens.ts`). */
export function authenticationOf({ authType, attributes }: AuthSettings): Authentication {
  const data = (name: string): Record<string, unknown> | string | undefined =>
    attributes.find((attribute) => attribute.name === name)?.content[0]?.data as
      Record<string, unknown> | string | undefined; // Validated when the settings were accepted.
  const text = (name: string) => String(data(name) ?? '');
  const secret = (name: string) => String((data(name) as Record<string, unknown> | undefined)?.['secret'] ?? '');
  const file = (name: string) => {
    const content = (data(name) as Record<string, unknown> | undefined)?.['content'];
    return typeof content === 'string' ? Buffer.from(content, 'base64') : undefined;
  };
  switch (authType) {
    case 'basic': {
      const credentials = Buffer.from(`${text('username')}:${secret('password')}`).toString('base64'); // RFC 7617 §2
      return { headers: { authorization: `Basic ${credentials}` }, tls: undefined };
    }
    case 'apiKey':
      return { headers: { [text('apiKeyHeader')]: secret('apiKey') }, tls: undefined };
    case 'certificate': {
      const [pfx, trust] = [file('keyStore') ?? Buffer.alloc(0), file('trustStore')];
      const ca = trust ? { ca: trust.toString('latin1') } : {};
      return { headers: {}, tls: { pfx, passphrase: secret('keyStorePassword'), ...ca } };
    }
    case 'none':
    case 'jwt':
      return { headers: {}, tls: undefined };
  }
}

/** Settings are sealed as a whole: key files are as secret as passwords. */
export interface AuthVault {
  seal(connectorUuid: string, settings: AuthSettings): Buffer | null;
  open(connectorUuid: string, row: { auth_type: AuthType; sealed_auth_attributes: Uint8Array | null }): AuthSettings;
}

const purpose = (connectorUuid: string): string => `authentication of connector ${connectorUuid}`;

export const authColumn: SealedColumn = {
  table: 'connector',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_auth_attributes',
  form: 'bytes',
  purpose: ({ uuid = '' }) => purpose(uuid),
};

export function createAuthVault(sealer: Sealer): AuthVault {
  return {
    seal: (connectorUuid, { attributes }) =>
      attributes.length === 0
        ? null
        : Buffer.from(sealer.seal(Buffer.from(JSON.stringify(attributes)), purpose(connectorUuid))),
    open: (connectorUuid, row) => {
      if (row.sealed_auth_attributes === null) return { authType: row.auth_type, attributes: [] };
      const plain = Buffer.from(sealer.open(row.sealed_auth_attributes, purpose(connectorUuid))).toString('utf8');
      return { authType: row.auth_type, attributes: JSON.parse(plain) as RequestAttributeDto[] }; // Written by `seal`.
    },
  };
}

/** Returns settings for display, without secrets or key store contents. */
export function presentAuthSettings({ authType, attributes }: AuthSettings): ResponseAttributeDto[] {
  const definitions = authAttributes[authType];
  return maskSecrets(attributes).map(({ uuid, name, contentType, content }) => ({
    uuid,
    name,
    label: definitions.find((definition) => definition.name === name)?.properties.label ?? name,
    type: 'data',
    contentType,
    content: name === 'keyStore' ? content.map(withoutFileContent) : content,
  }));
}

/** A key store contains a private key: only its name is shown. */
function withoutFileContent(item: ContentItem): ContentItem {
  // Validated when the settings were accepted.
  return { ...item, data: { ...(item.data as object), content: '' } };
}

/** Values that are never shown may be left empty in an update; fills them in from the stored values. */
export function retainHidden(
  requested: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
): RequestAttributeDto[] {
  const knownKeyStore = stored.find(({ name }) => name === 'keyStore');
  return retainSecrets(requested, stored).map((attribute) =>
    attribute.name === 'keyStore' && attribute.content.every(hasNoFileContent)
      ? (knownKeyStore ?? attribute)
      : attribute,
  );
}

const hasNoFileContent = ({ data }: ContentItem): boolean => isObject(data) && 'content' in data && data.content === '';
