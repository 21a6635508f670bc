// The terms of the attribute engine: whose values, which set of them, and where metadata comes from. No I/O.
import type {
  AttributeContentType,
  BaseAttributeConstraintDto,
  RequestAttributeDto,
  Resource,
} from '@signetry/contract';

/** The object that values belong to. */
export interface AttributeObject {
  readonly resource: Resource;
  readonly uuid: string;
}

/** Value sets of one object are kept apart by what they are used for; absent means plain configuration. */
export type AttributeOperation = 'issue' | 'revoke' | 'sign' | 'encrypt' | 'push' | 'csr';

/** One set of values of an object: it is written as a whole. */
export interface AttributeScope {
  readonly connectorUuid: string | null;
  readonly operation?: AttributeOperation | undefined;
  readonly purpose?: string | undefined;
}

/** The object whose treatment yielded a piece of metadata, e.g. the discovery that found a certificate. */
export interface MetadataSource {
  readonly resource: Resource;
  readonly uuid: string;
  readonly name: string;
}

export type ContentItem = RequestAttributeDto['content'][number];

/** The parts of a data definition that values are judged by. */
export interface ValueDefinition {
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly contentType: AttributeContentType;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly list: boolean;
  readonly multiSelect: boolean;
  /** What a read-only attribute has, the choices of a list, else what forms begin with; not kept of earlier ones. */
  readonly content: readonly ContentItem[];
  readonly constraints: readonly BaseAttributeConstraintDto[];
}

/** For the audit record of an edit: names of attributes that the object had and the new list leaves out. */
export const leftOutData = (
  names: readonly string[] | undefined,
): { readonly data?: { readonly attributesLeftOut: readonly string[] } } =>
  names && names.length > 0 ? { data: { attributesLeftOut: names } } : {};
