// Imports a PKCS #12 file. The certificates are imported first: they can be imported repeatedly, so the import can be
// repeated if the token does not create the key. The file and its passphrase are not stored.
import {
  KEY_PAIR_ATTRIBUTES,
  type DataAttribute,
  type KeyFileImport,
  type KeyFileImportRequest,
  type RequestAttributeDto,
} from '@signetry/contract';
import { fromBase64, isPkiError, type Certificate } from '@signetry/pki';
import { pkcs12Identity, readPkcs12, type Pkcs12Contents } from '@signetry/pki/node';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { sha256Hex } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import { creationForms, type Keys } from '../keys/index.ts';
import type { Tokens } from '../tokens/index.ts';

export interface KeyFileImportParts {
  readonly inventory: { readonly held: Pick<InventoryArea['held'], 'takeIn'> };
  readonly keys: Pick<Keys, 'create' | 'findByPublicKey'>;
  readonly tokens: Pick<Tokens, 'definitions' | 'requireProfile' | 'find'>;
}

interface TokenPath {
  readonly tokenInstanceUuid: string;
  readonly tokenProfileUuid: string;
}

export async function importKeyFile(
  parts: KeyFileImportParts,
  path: TokenPath,
  request: KeyFileImportRequest,
  context: RequestContext,
): Promise<KeyFileImport> {
  const { keys, tokens } = parts;
  const { tokenInstanceUuid: tokenUuid, tokenProfileUuid: profileUuid } = path;
  await tokens.requireProfile({ profileUuid, tokenUuid });
  const attributes = await attributesFor(parts, tokenUuid, request, context);
  const { certificate, others } = await readFile(request);
  const known = await keys.findByPublicKey(sha256Hex(certificate.spki));
  if (known) throw rejected(`${WHAT}: its private key already exists as key ${known.name}.`);
  const { certificateUuids, problems } = await importCertificates(parts, { certificate, others }, context);
  const [certificateUuid = ''] = certificateUuids;
  const { name, description = '', groupUuids, enabled } = request;
  const body = { name, description, groupUuids, enabled, attributes };
  const keyUuid = await keys.create({ ...path, type: 'keyPair' }, body, context);
  return { keyUuid, certificateUuid, certificateUuids, problems };
}

const WHAT = 'Cannot import the file';
/** Files have the certificates of one chain; a few have an entire collection of issuers. */
const MAX_CERTIFICATES = 100;

interface FileCertificates {
  /** The certificate of the private key. */
  readonly certificate: Certificate;
  readonly others: readonly Certificate[];
}

async function readFile({ content, passphrase }: KeyFileImportRequest): Promise<FileCertificates> {
  try {
    const contents = await readPkcs12(fromBase64(content), { password: passphrase });
    return certificatesOf(contents);
  } catch (error) {
    if (isPkiError(error)) throw rejected(`${WHAT}: ${error.message}`);
    throw error;
  }
}

function certificatesOf(contents: Pkcs12Contents): FileCertificates {
  const {
    chain: [certificate, ...chain],
  } = pkcs12Identity(contents);
  const all = contents.certificates.map((each) => each.certificate);
  if (all.length > MAX_CERTIFICATES)
    throw rejected(`${WHAT}: it contains ${all.length} certificates; the maximum is ${MAX_CERTIFICATES}.`);
  if (!certificate) throw rejected(`${WHAT}: it does not contain a certificate for its private key.`);
  const rest = all.filter((each) => each !== certificate && !chain.includes(each));
  return { certificate, others: [...chain, ...rest] };
}

/** Imports issuers first, so that each certificate is validated with its issuer. */
async function importCertificates(
  { inventory }: KeyFileImportParts,
  { certificate, others }: FileCertificates,
  context: RequestContext,
): Promise<Pick<KeyFileImport, 'certificateUuids' | 'problems'>> {
  const ders = [...others.toReversed(), certificate].map(({ der }) => der);
  const results = (await inventory.held.takeIn(ders, 'Imported with its private key file', context)).toReversed();
  const [own] = results;
  if (own && 'problem' in own) throw rejected(`${WHAT}: the certificate of its private key: ${own.problem}`);
  return {
    certificateUuids: results.flatMap((result) => ('uuid' in result ? [result.uuid] : [])),
    problems: results.flatMap((result) => ('problem' in result ? [result.problem] : [])),
  };
}

/** Returns the values of the token's form for a key pair. Rejects tokens that do not accept imported keys. */
async function attributesFor(
  { tokens }: KeyFileImportParts,
  tokenUuid: string,
  { name, content, passphrase, exportable }: KeyFileImportRequest,
  { signal }: RequestContext,
): Promise<RequestAttributeDto[]> {
  const { alias, file, filePassword } = KEY_PAIR_ATTRIBUTES;
  const form = await tokens.definitions(tokenUuid, creationForms.keyPair, signal);
  const definitions = form.filter((each): each is DataAttribute => each.type === 'data');
  const accepts = (attribute: string) => definitions.some((each) => each.name === attribute);
  if (![alias, file, filePassword].every(accepts)) {
    const token = await tokens.find(tokenUuid);
    throw rejected(
      `Token ${token.name} does not accept imported keys. For a software token, enable "Allow key import".`,
    );
  }
  if (exportable && !accepts(KEY_PAIR_ATTRIBUTES.exportable)) {
    const token = await tokens.find(tokenUuid);
    throw rejected(`Token ${token.name} does not support exportable keys.`);
  }
  const values: Readonly<Record<string, unknown>> = {
    [alias]: name,
    [file]: { content, fileName: 'key.p12', mimeType: 'application/x-pkcs12' },
    ...(passphrase === '' ? {} : { [filePassword]: { secret: passphrase } }),
    ...(exportable ? { [KEY_PAIR_ATTRIBUTES.exportable]: true } : {}),
  };
  return definitions.flatMap(({ uuid, name: attribute, contentType }) =>
    attribute in values ? [{ uuid, name: attribute, contentType, content: [{ data: values[attribute] }] }] : [],
  );
}
