// Creates what a SCEP profile needs in one step: a software token that stays active, an RSA key, an RA profile, and the
// SCEP RA certificate. Each part is created by its own use case, with its own audit record, on behalf of the caller.
// The token and the RA profile are found by name, so that an interrupted call can be repeated.
import {
  CSR_ATTRIBUTES,
  keyManagementOperations,
  randomSharedSecret,
  raProfileOperations,
  tokenInstanceOperations,
  tokenProfileOperations,
  type BaseAttributeDto,
  type Operation,
  type RequestAttributeDto,
  type ScepRaCertificate,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { defaultAttributes } from '../attributes/index.ts';
import type { Authorities } from '../authorities/index.ts';
import { sha256Hex } from '../certificates/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { IssuingArea } from '../issuing/index.ts';
import type { Keys } from '../keys/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { SigningCertificates } from '../signing-certificates/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { SCEP_CA } from './ca-certificate.ts';

export interface RaCertificateParts {
  readonly tokens: Pick<Tokens, 'creation'>;
  readonly keys: Pick<Keys, 'create'>;
  readonly connectors: Pick<Connectors, 'listOffering' | 'facts'>;
  readonly authorities: Pick<Authorities, 'raProfileDefinitions'>;
  readonly raProfiles: Pick<RaProfiles, 'findByUuid' | 'findByName' | 'create'>;
  readonly issuing: Pick<IssuingArea, 'requests' | 'issuance'>;
  readonly signingCertificates: Pick<SigningCertificates, 'list' | 'keyOf'>;
  /** Certificates that SCEP profiles use. */
  readonly certificatesInUse: () => Promise<ReadonlySet<string>>;
}

const TOKEN = 'SCEP RA keys';
const TOKEN_KIND = 'SOFT';
const RA_PROFILE = 'scep-ra';
const COMMON_NAME = 'SCEP RA';
const KEY_SPECIFICATION = 'RSA-2048';
/** Devices have to be able to renew the certificate that they enrolled with. */
const VALIDITY_DAYS = 730;
/** Clients that distinguish usages encrypt only to a certificate with key encipherment. */
const KEY_USAGES = ['digitalSignature', 'keyEncipherment'];
const KEY_USAGES_ATTRIBUTE = 'data_keyUsages';
const VALIDITY_ATTRIBUTE = 'data_validityDays';

export async function ensureRaCertificate(
  parts: RaCertificateParts,
  raProfileUuid: string,
  context: RequestContext,
): Promise<ScepRaCertificate> {
  const authorityUuid = await authorityOf(parts, raProfileUuid);
  const known = await findUsable(parts, authorityUuid, context);
  if (known) return { ...known, created: false };
  const token = await ensureToken(parts, context);
  const tokenProfileUuid = await ensureTokenProfile(parts, token.uuid, context);
  const issuingProfileUuid = await ensureRaProfile(parts, { authorityUuid, raProfileUuid }, context);
  const keyUuid = await createKey(parts, { tokenInstanceUuid: token.uuid, tokenProfileUuid }, context);
  const request = await parts.issuing.requests.given(
    { format: 'pkcs10', keyUuid, tokenProfileUuid, csrAttributes: [commonName(COMMON_NAME)] },
    context,
  );
  const path = { authorityUuid, raProfileUuid: issuingProfileUuid };
  const { uuid, der } = await parts.issuing.issuance.issue({ ...path, request, attributes: [] }, context);
  if (!der) throw rejected(`The SCEP RA certificate ${uuid} has not been issued yet. Repeat the request once it is.`);
  return { certificateUuid: uuid, fingerprint: sha256Hex(der), created: true, ...token.created };
}

async function authorityOf({ raProfiles }: RaCertificateParts, raProfileUuid: string): Promise<string> {
  const profile = await raProfiles.findByUuid(raProfileUuid);
  if (!profile || profile.internal) throw rejected(`raProfileUuid: RA profile ${raProfileUuid} does not exist`);
  if (profile.authorityUuid === null)
    throw rejected(`RA profile ${profile.name} no longer has an authority that can issue the SCEP RA certificate.`);
  return profile.authorityUuid;
}

/**
 * Returns the authority's certificate that a profile uses, or one whose key the caller owns. Other certificates could
 * belong to callers who want to decrypt the requests of devices.
 */
async function findUsable(
  { signingCertificates, certificatesInUse }: RaCertificateParts,
  authorityUuid: string,
  context: RequestContext,
): Promise<Pick<ScepRaCertificate, 'certificateUuid' | 'fingerprint'> | undefined> {
  const inUse = await certificatesInUse();
  const suitable = (await signingCertificates.list(SCEP_CA, context))
    .filter(({ raProfile }) => raProfile?.authorityInstanceUuid === authorityUuid)
    .toSorted((one, other) => (other.notAfter ?? '').localeCompare(one.notAfter ?? ''));
  for (const { uuid, commonName: name, fingerprint } of suitable) {
    if (fingerprint === undefined) continue;
    if (inUse.has(uuid)) return { certificateUuid: uuid, fingerprint };
    const key = name === COMMON_NAME ? await signingCertificates.keyOf(uuid) : undefined;
    if (key?.ownerUuid && key.ownerUuid === context.actor.userUuid) return { certificateUuid: uuid, fingerprint };
  }
  return undefined;
}

interface EnsuredToken {
  readonly uuid: string;
  readonly created?: Pick<ScepRaCertificate, 'tokenName' | 'activationCode'>;
}

async function ensureToken(parts: RaCertificateParts, context: RequestContext): Promise<EnsuredToken> {
  const { creation } = parts.tokens;
  const connectorUuid = await softwareTokens(parts);
  const known = await creation.findByName(TOKEN);
  // A token with this name at a different connector could disclose the key.
  if (known && (known.connector_uuid !== connectorUuid || known.kind !== TOKEN_KIND))
    throw rejected(`Token ${TOKEN} is not a software token of this platform; rename it first.`);
  if (known) return { uuid: known.uuid };
  const activationCode = randomSharedSecret();
  const code = secret('data_activationCode', activationCode);
  const request = {
    name: TOKEN,
    kind: TOKEN_KIND,
    connectorUuid,
    customAttributes: [],
    attributes: [code, value('data_staysActive', 'boolean', [true])],
  };
  const { uuid } = await creation.create(request, asOperation(context, tokenInstanceOperations.createTokenInstance));
  await creation.activate(uuid, [code], asOperation(context, tokenInstanceOperations.activateTokenInstance));
  return { uuid, created: { tokenName: TOKEN, activationCode } };
}

async function softwareTokens({ connectors }: RaCertificateParts): Promise<string> {
  for (const { uuid, kinds } of await connectors.listOffering(['cryptographyProvider']))
    if (kinds.includes(TOKEN_KIND) && (await connectors.facts(uuid)).isBuiltIn) return uuid;
  throw rejected('The built-in connector for software tokens is not available. Create the key in a different token.');
}

async function ensureTokenProfile(
  { tokens: { creation } }: RaCertificateParts,
  tokenUuid: string,
  context: RequestContext,
): Promise<string> {
  const known = await creation.findProfileByName(TOKEN);
  if (known && known.token_uuid !== tokenUuid)
    throw rejected(`Token profile ${TOKEN} belongs to a different token; remove it first.`);
  if (known) return known.uuid;
  const usage = ['sign', 'verify', 'encrypt', 'decrypt'] as const;
  const request = { name: TOKEN, attributes: [], enabled: true, usage: [...usage] };
  const operation = asOperation(context, tokenProfileOperations.createTokenProfile);
  return (await creation.createProfile(tokenUuid, request, operation)).uuid;
}

/**
 * Returns the RA profile for the certificate. Only the built-in software authority has the key usage attribute; for
 * other authorities, it is the RA profile of the devices.
 */
async function ensureRaProfile(
  { authorities, raProfiles }: RaCertificateParts,
  { authorityUuid, raProfileUuid }: { readonly authorityUuid: string; readonly raProfileUuid: string },
  context: RequestContext,
): Promise<string> {
  const definitions = await authorities.raProfileDefinitions(authorityUuid);
  if (!definitions.some(({ name }) => name === KEY_USAGES_ATTRIBUTE)) return raProfileUuid;
  for (const name of [RA_PROFILE, `${RA_PROFILE}-${authorityUuid}`]) {
    const known = await raProfiles.findByName(name);
    if (known?.authorityUuid === authorityUuid) return known.uuid;
    if (known) continue;
    const attributes = attributesOf(definitions);
    const description = 'SCEP RA certificates';
    const operation = asOperation(context, raProfileOperations.createRaProfile);
    return raProfiles.create(authorityUuid, { name, description, attributes, enabled: true }, operation);
  }
  throw rejected(`The RA profile ${RA_PROFILE}-${authorityUuid} belongs to a different authority; remove it first.`);
}

const attributesOf = (definitions: readonly BaseAttributeDto[]): RequestAttributeDto[] => [
  ...defaultAttributes(definitions.filter(({ name }) => name !== VALIDITY_ATTRIBUTE)),
  value(VALIDITY_ATTRIBUTE, 'integer', [VALIDITY_DAYS]),
  value(KEY_USAGES_ATTRIBUTE, 'string', KEY_USAGES),
];

/**
 * Keys are never looked up by name: a caller owns any key it creates, so it could plant a key under that name and later
 * use it to decrypt.
 */
function createKey(
  { keys }: RaCertificateParts,
  path: { readonly tokenInstanceUuid: string; readonly tokenProfileUuid: string },
  context: RequestContext,
): Promise<string> {
  const name = `${COMMON_NAME} ${newUuid()}`;
  const attributes = [
    value('data_keyAlias', 'string', [name]),
    value('data_keySpecification', 'string', [KEY_SPECIFICATION]),
  ];
  const request = { name, description: 'Key of a SCEP RA certificate', attributes, enabled: true };
  return keys.create({ ...path, type: 'keyPair' }, request, asOperation(context, keyManagementOperations.createKey));
}

/** Returns the context of a step, which is audited as the operation that performs it alone. */
const asOperation = (context: RequestContext, { audit }: Pick<Operation, 'audit'>): RequestContext => ({
  ...context,
  audit,
});

const value = (
  name: string,
  contentType: 'string' | 'boolean' | 'integer',
  data: readonly (string | boolean | number)[],
): RequestAttributeDto =>
  ({ uuid: newUuid(), name, contentType, content: data.map((each) => ({ data: each })) }) as RequestAttributeDto;

const secret = (name: string, text: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'secret',
  content: [{ data: { secret: text } }],
});

const commonName = (data: string): RequestAttributeDto => ({
  ...CSR_ATTRIBUTES.commonName,
  contentType: 'string',
  content: [{ data }],
});
