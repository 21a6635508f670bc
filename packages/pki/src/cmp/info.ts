// InfoTypeAndValue (RFC 9810 §5.1.1, §5.3.19): typed values in headers and general messages. Values of the types in the
// table are decoded and encoded; all others are passed through unchanged.
import {
  elementBytes,
  explicitContent,
  openElement,
  parseDer,
  readNull,
  readOid,
  readText,
  readTimeMs,
} from '../der/reader.ts';
import {
  encodeDer,
  explicitPart,
  generalizedTimePart,
  nullPart,
  oidPart,
  sequence,
  timePart,
  utf8StringPart,
} from '../der/writer.ts';
import { controlsPart, readControls, type Control } from '../crmf/controls.ts';
import { DerError } from '../errors.ts';
import { generalNamePart, readGeneralNames, type GeneralName } from '../x509/general-names.ts';
import { MAX_CERTIFICATES, MAX_INFOS, MAX_MESSAGES, MAX_VALUES } from './limits.ts';
import { readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { readCertTemplate, type CertTemplate } from '../crmf/template.ts';
import { readMembers, readSequenceDer } from '../der/members.ts';
import { TAG } from '../der/tags.ts';
import type { DerElement } from '../der/reader.ts';
import type { DerPart } from '../der/writer.ts';

export interface InfoTypeAndValue {
  readonly type: string;
  /** One encoded element; undefined in requests for information. */
  readonly value: Uint8Array | undefined;
}

/** Reads an InfoTypeAndValue. Throws `DerError`. */
export function readInfo(element: DerElement): InfoTypeAndValue {
  const cursor = openElement(element, TAG.sequence);
  const type = readOid(cursor.next());
  const value = cursor.atEnd ? undefined : elementBytes(cursor.next());
  cursor.finish();
  return { type, value };
}

/** Reads the InfoTypeAndValue items of a GenMsgContent or generalInfo. Throws `DerError`. */
export function readInfos(element: DerElement): InfoTypeAndValue[] {
  return readMembers(element, { max: MAX_INFOS, read: readInfo });
}

export function infosPart(infos: readonly InfoTypeAndValue[]): DerPart {
  return sequence(infos.map(({ type, value }) => sequence([oidPart(type), value])));
}

/** New root certificates, self-signed or cross-signed between the old and the new key (RFC 9810 §5.3.19.15). */
export interface RootCaKeyUpdate {
  readonly newWithNew: Uint8Array;
  readonly newWithOld?: Uint8Array | undefined;
  readonly oldWithNew?: Uint8Array | undefined;
}

/** Template that a CA suggests for requests (RFC 9810 §5.3.19.16). */
export interface CertReqTemplate {
  readonly template: Pick<CertTemplate, 'der'>;
  /** Controls `algId` and `rsaKeyLen`: the accepted key types and lengths. */
  readonly keySpec: readonly Control[];
}

/** The requested CRL, and the issue time of the client's current one (RFC 9810 §5.3.19.17). */
export interface CrlStatus {
  /** `point` is an encoded DistributionPointName. */
  readonly source: { readonly point: Uint8Array } | { readonly issuer: readonly GeneralName[] };
  readonly thisUpdateMs?: number | undefined;
}

/** Values by type. Certificates, CRLs and messages are encoded; times are milliseconds since 1970. */
export interface InfoValues {
  readonly caProtEncCert: Uint8Array;
  readonly signKeyPairTypes: readonly Pick<AlgorithmIdentifier, 'oid' | 'der'>[];
  readonly encKeyPairTypes: readonly Pick<AlgorithmIdentifier, 'oid' | 'der'>[];
  readonly preferredSymmAlg: Pick<AlgorithmIdentifier, 'oid' | 'der'>;
  readonly currentCRL: Uint8Array;
  readonly unsupportedOIDs: readonly string[];
  readonly keyPairParamReq: string;
  readonly keyPairParamRep: Pick<AlgorithmIdentifier, 'oid' | 'der'>;
  readonly implicitConfirm: null;
  readonly confirmWaitTime: number;
  readonly origPKIMessage: readonly Uint8Array[];
  readonly suppLangTags: readonly string[];
  readonly caCerts: readonly Uint8Array[];
  readonly rootCaKeyUpdate: RootCaKeyUpdate;
  readonly certReqTemplate: CertReqTemplate;
  readonly rootCaCert: Uint8Array;
  readonly certProfile: readonly string[];
  readonly crlStatusList: readonly CrlStatus[];
  readonly crls: readonly Uint8Array[];
}

export type InfoName = keyof InfoValues;

/** Decoder and encoder for one value type. */
interface Codec<T> {
  readonly read: (element: DerElement) => T;
  readonly write: (value: T) => DerPart;
}

const listOf = <T>({ read, write }: Codec<T>, max = MAX_VALUES): Codec<readonly T[]> => ({
  read: (element) => readMembers(element, { max, min: 1, read }),
  write: (values) => sequence(values.map(write)),
});
const encoded: Codec<Uint8Array> = { read: readSequenceDer, write: (der) => der };
const text: Codec<string> = { read: (element) => readText(element, TAG.utf8String), write: utf8StringPart };
const oid: Codec<string> = { read: (element) => readOid(element), write: oidPart };
const algorithm: Codec<Pick<AlgorithmIdentifier, 'oid' | 'der'>> = { read: readAlgorithm, write: ({ der }) => der };
const certificates = listOf(encoded, MAX_CERTIFICATES);

const nothing: Codec<null> = {
  read: (element) => {
    readNull(element);
    return null;
  },
  write: nullPart,
};

const rootCaKeyUpdate: Codec<RootCaKeyUpdate> = {
  read: (element) => {
    const cursor = openElement(element, TAG.sequence);
    const newWithNew = readSequenceDer(cursor.next());
    const newWithOld = cursor.optional(0xa0);
    const oldWithNew = cursor.optional(0xa1);
    cursor.finish();
    return {
      newWithNew,
      newWithOld: newWithOld && readSequenceDer(explicitContent(newWithOld)),
      oldWithNew: oldWithNew && readSequenceDer(explicitContent(oldWithNew)),
    };
  },
  write: ({ newWithNew, newWithOld, oldWithNew }) =>
    sequence([newWithNew, newWithOld && explicitPart(0, newWithOld), oldWithNew && explicitPart(1, oldWithNew)]),
};

const certReqTemplate: Codec<CertReqTemplate> = {
  read: (element) => {
    const cursor = openElement(element, TAG.sequence);
    const template = readCertTemplate(cursor.next());
    const keySpec = cursor.optional(TAG.sequence);
    cursor.finish();
    return { template, keySpec: keySpec === undefined ? [] : readControls(keySpec) };
  },
  write: ({ template, keySpec }) => sequence([template.der, controlsPart(keySpec)]),
};

const crlStatus: Codec<CrlStatus> = {
  read: (element) => {
    const cursor = openElement(element, TAG.sequence);
    const choice = cursor.next();
    const thisUpdate = cursor.atEnd ? undefined : cursor.next();
    cursor.finish();
    return { source: readCrlSource(choice), thisUpdateMs: thisUpdate && readTimeMs(thisUpdate) };
  },
  write: ({ source, thisUpdateMs }) =>
    sequence([
      'point' in source ? explicitPart(0, source.point) : explicitPart(1, sequence(source.issuer.map(generalNamePart))),
      thisUpdateMs === undefined ? undefined : timePart(thisUpdateMs),
    ]),
};

function readCrlSource(element: DerElement): CrlStatus['source'] {
  if (element.tag === 0xa0) return { point: elementBytes(explicitContent(element)) };
  if (element.tag === 0xa1) return { issuer: readGeneralNames(explicitContent(element)) };
  throw new DerError('unexpected-tag', element.start);
}

/** id-it arcs by name (RFC 9810 appendix F). */
const types: { readonly [N in InfoName]: { readonly arc: number; readonly codec: Codec<InfoValues[N]> } } = {
  caProtEncCert: { arc: 1, codec: encoded },
  signKeyPairTypes: { arc: 2, codec: listOf(algorithm) },
  encKeyPairTypes: { arc: 3, codec: listOf(algorithm) },
  preferredSymmAlg: { arc: 4, codec: algorithm },
  currentCRL: { arc: 6, codec: encoded },
  unsupportedOIDs: { arc: 7, codec: listOf(oid) },
  keyPairParamReq: { arc: 10, codec: oid },
  keyPairParamRep: { arc: 11, codec: algorithm },
  implicitConfirm: { arc: 13, codec: nothing },
  confirmWaitTime: {
    arc: 14,
    codec: {
      read: (element) => readTimeMs(expectGeneralizedTime(element)),
      write: generalizedTimePart,
    },
  },
  origPKIMessage: { arc: 15, codec: listOf(encoded, MAX_MESSAGES) },
  suppLangTags: { arc: 16, codec: listOf(text) },
  caCerts: { arc: 17, codec: certificates },
  rootCaKeyUpdate: { arc: 18, codec: rootCaKeyUpdate },
  certReqTemplate: { arc: 19, codec: certReqTemplate },
  rootCaCert: { arc: 20, codec: encoded },
  certProfile: { arc: 21, codec: listOf(text) },
  crlStatusList: { arc: 22, codec: listOf(crlStatus) },
  crls: { arc: 23, codec: certificates },
};

function expectGeneralizedTime(element: DerElement): DerElement {
  if (element.tag !== TAG.generalizedTime) throw new DerError('unexpected-tag', element.start);
  return element;
}

const ID_IT = '1.3.6.1.5.5.7.4';

/** Returns the OID for an info type. */
export const infoType = (name: InfoName): string => `${ID_IT}.${types[name].arc}`;

// `Object.keys` does not preserve the key type, hence the cast.
const names = new Map((Object.keys(types) as InfoName[]).map((name) => [infoType(name), name]));

/** Returns the name of an info type, or undefined if its values are not decoded here. */
export const infoName = (type: string): InfoName | undefined => names.get(type);

/** Returns whether an item of this type is present, with or without a value. */
export const hasInfo = (infos: readonly InfoTypeAndValue[], name: InfoName): boolean =>
  infos.some(({ type }) => type === infoType(name));

/**
 * Returns the value of this type, or undefined if it is absent or has no value. Throws `DerError`, including if the
 * type occurs twice.
 */
export function infoValue<N extends InfoName>(infos: readonly InfoTypeAndValue[], name: N): InfoValues[N] | undefined {
  const [info, ...more] = infos.filter(({ type }) => type === infoType(name));
  if (more.length > 0) throw new DerError('duplicate-element', 0);
  if (info?.value === undefined) return undefined;
  const { codec } = types[name];
  return codec.read(parseDer(info.value));
}

/** Builds an item with a value. */
export function buildInfo<N extends InfoName>(name: N, value: InfoValues[N]): InfoTypeAndValue {
  const { codec } = types[name];
  return { type: infoType(name), value: encodeDer(codec.write(value)) };
}

/** Builds a request for information: a type without a value. */
export const requestInfo = (name: InfoName): InfoTypeAndValue => ({ type: infoType(name), value: undefined });
