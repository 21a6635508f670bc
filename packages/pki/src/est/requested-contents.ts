// Requested CSR contents, independent of how they are communicated to clients (RFC 9908 §3).
import { encodeDer, implicitPrimitive, sequence, type DerPart } from '../der/writer.ts';
import { PkiError } from '../errors.ts';
import { attributeTypeOfCode } from '../names.ts';
import { OID } from '../oids.ts';
import { attributePart } from '../x509/attributes.ts';
import { extensionsPart } from '../x509/extension-parts.ts';
import { generalNamePart } from '../x509/general-names.ts';

/** Key type: RSA modulus size in bits, or a curve OID. */
export type RequestedKey = { readonly rsaBits: number } | { readonly curve: string };

/** A subject attribute in a separate RDN. If it has no value, the client fills it in. */
export interface RequestedNameAttribute {
  /** Short name (`CN`, case-insensitive) or dotted-decimal OID. */
  readonly type: string;
  readonly value?: string | undefined;
}

export interface RequestedExtension {
  readonly oid: string;
  readonly critical?: boolean | undefined;
  /** Encoded value; if absent, the client fills it in. */
  readonly value?: Uint8Array | undefined;
  /** Whether the client must complete the value; only a template can express this. */
  readonly isPartial?: boolean | undefined;
}

export interface RequestedCsrAttributes {
  /** OIDs of attributes and extensions, in dotted-decimal form. */
  readonly identifiers: readonly string[];
  readonly key?: RequestedKey | undefined;
  /** In encoding order. */
  readonly subject?: readonly RequestedNameAttribute[] | undefined;
  readonly extensions?: readonly RequestedExtension[] | undefined;
  /** Whether to add the template. Clients that support it ignore everything else (RFC 9908 §4). */
  readonly template?: boolean | undefined;
}

/** Builds one attribute whose single value contains all extensions that have a value (RFC 9908 §3.2). */
export function extensionRequestPart(extensions: readonly RequestedExtension[]): DerPart | undefined {
  const given = extensions.flatMap(({ oid, critical = false, value }) => (value ? [{ oid, critical, value }] : []));
  return given.length === 0 ? undefined : attributePart(OID.extensionRequest, [extensionsPart(given)]);
}

/** Returns the OID for an attribute type. Throws `PkiError` `bad-name`. */
export function requestedNameType(type: string): string {
  const oid = attributeTypeOfCode(type);
  if (oid === undefined) throw new PkiError('bad-name', `"${type.slice(0, 64)}" is not a known name attribute.`);
  return oid;
}

/**
 * Returns the subjectAltName that CSRs must contain: these DNS names and, if `ipAddress` is set, an IP address that the
 * client fills in, encoded as an empty address (RFC 9908 §3.4). At least one name is required.
 */
export function requestedAltNamesExtension(names: {
  readonly dnsNames: readonly string[];
  readonly ipAddress: boolean;
}): RequestedExtension {
  const parts = [
    ...names.dnsNames.map((value) => generalNamePart({ kind: 'dNSName', value })),
    names.ipAddress ? implicitPrimitive(7, new Uint8Array()) : undefined,
  ];
  return { oid: OID.subjectAltName, value: encodeDer(sequence(parts)), isPartial: names.ipAddress };
}
