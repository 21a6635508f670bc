// What requests are to hold, whichever way clients are told (RFC 9908 §3).
import { encodeDer, implicitPrimitive, sequence, type DerPart } from '../der/writer.ts';
import { PkiError } from '../errors.ts';
import { attributeTypeOfCode } from '../names.ts';
import { OID } from '../oids.ts';
import { attributePart } from '../x509/attributes.ts';
import { extensionsPart } from '../x509/extension-parts.ts';
import { generalNamePart } from '../x509/general-names.ts';

/** A key type: the size of an RSA modulus in bits, or the object identifier of a curve. */
export type RequestedKey = { readonly rsaBits: number } | { readonly curve: string };

/** An attribute of the subject, each an RDN of its own. Without a value the client fills it in. */
export interface RequestedNameAttribute {
  /** A code (`CN`, any case) or a dotted identifier. */
  readonly type: string;
  readonly value?: string | undefined;
}

export interface RequestedExtension {
  readonly oid: string;
  readonly critical?: boolean | undefined;
  /** Encoded; without one the client fills it in. */
  readonly value?: Uint8Array | undefined;
  /** The client has to complete the value, which only a template can say. */
  readonly isPartial?: boolean | undefined;
}

export interface RequestedCsrAttributes {
  /** Of attributes and extensions, in dotted form. */
  readonly identifiers: readonly string[];
  readonly key?: RequestedKey | undefined;
  /** In encoded order. */
  readonly subject?: readonly RequestedNameAttribute[] | undefined;
  readonly extensions?: readonly RequestedExtension[] | undefined;
  /** Adds the template. Clients that know it ignore everything else (RFC 9908 §4). */
  readonly template?: boolean | undefined;
}

/** One attribute with one value for all extensions whose values are given (RFC 9908 §3.2). */
export function extensionRequestPart(extensions: readonly RequestedExtension[]): DerPart | undefined {
  const given = extensions.flatMap(({ oid, critical = false, value }) => (value ? [{ oid, critical, value }] : []));
  return given.length === 0 ? undefined : attributePart(OID.extensionRequest, [extensionsPart(given)]);
}

/** The identifier of a type of attribute. Throws `PkiError` `bad-name`. */
export function requestedNameType(type: string): string {
  const oid = attributeTypeOfCode(type);
  if (oid === undefined) throw new PkiError('bad-name', `"${type.slice(0, 64)}" is not a known name attribute.`);
  return oid;
}

/**
 * The alternative names that requests are to have: these DNS names, and with `ipAddress` an address that the client
 * fills in, which is written as an empty one (RFC 9908 §3.4). At least one of them.
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
