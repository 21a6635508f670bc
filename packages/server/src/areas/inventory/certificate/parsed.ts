// Full contents of a certificate. Parsed from DER on each request, because support for extensions grows.
import type { ParsedCertificateDto, ParsedValueDto } from '@signetry/contract';
import { parseCertificate, readableCertificate, type ReadableValue } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { notFound } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { OidNames } from '../../oids/index.ts';
import { sha256Hex, type NameSource } from '../../certificates/index.ts';
import { notIssued } from './download.ts';
import { findDetail } from './store.ts';

export interface ParsedParts {
  readonly names: NameSource;
}

export const createParsedCertificates = ({ database }: Platform, { names }: ParsedParts) =>
  async function parsed(uuid: string): Promise<ParsedCertificateDto> {
    const row = await findDetail(database.executor, uuid);
    if (!row) throw notFound('Certificate', uuid);
    if (row.der === null) throw notIssued(row);
    return presentParsed(uuid, row.der, await names());
  };

/** Parsing the names and key cannot fail, because the certificate is in the inventory. */
function presentParsed(uuid: string, der: Uint8Array, names: OidNames): ParsedCertificateDto {
  const { notBeforeMs, notAfterMs, publicKey, extensions, ...facts } = readableCertificate(
    parseCertificate(der),
    names.codes,
  );
  const { spki, ...key } = publicKey;
  return {
    uuid,
    ...facts,
    notBefore: new Date(notBeforeMs).toISOString(),
    notAfter: new Date(notAfterMs).toISOString(),
    publicKey: { ...key, fingerprint: sha256Hex(spki) },
    fingerprints: { sha1: nodeCrypto.digest('sha1', der).toHex(), sha256: sha256Hex(der) },
    extensions: extensions.map(({ values, name, ...extension }) => ({
      ...extension,
      name: names.nameOf(extension.oid) ?? name,
      values: values.map((value) => presentValue(value, names)),
    })),
  };
}

/** Names defined by administrators take precedence over built-in ones. */
function presentValue({ members, ...value }: ReadableValue, names: OidNames): ParsedValueDto {
  const given = value.oid === undefined ? undefined : names.nameOf(value.oid);
  return {
    ...value,
    ...(given === undefined ? {} : { text: given }),
    ...(members === undefined ? {} : { members: members.map((member) => presentValue(member, names)) }),
  };
}
