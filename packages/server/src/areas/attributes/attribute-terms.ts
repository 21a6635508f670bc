// Terms of the attribute engine: objects with values, value sets, and metadata sources. No I/O.
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

/** Separates the value sets of one object by use; absent for plain configuration. */
export type AttributeOperation = 'issue' | 'revoke' | 'sign' | 'encrypt' | 'push' | 'csr';

/** One value set of an object, always written as a whole. */
export interface AttributeScope {
  readonly connectorUuid: string | null;
  readonly operation?: AttributeOperation | undefined;
  readonly purpose?: string | undefined;
}

/** Object whose processing produced a piece of metadata, e.g. the discovery that found a certificate. */
export interface MetadataSource {
  readonly resource: Resource;
  readonly uuid: string;
  readonly name: string;
}

export type ContentItem = RequestAttributeDto['content'][number];

/** Parts of a data definition against which values are checked. */
export interface ValueDefinition {
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly contentType: AttributeContentType;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly list: boolean;
  readonly multiSelect: boolean;
  /**
   * Value of a read-only attribute, choices of a list, otherwise the initial form value; not stored for earlier
   * definitions.
   */
  readonly content: readonly ContentItem[];
  readonly constraints: readonly BaseAttributeConstraintDto[];
}

/** Data for the audit record of an edit: names of previous attributes that the new list omits. */
export const leftOutData = (
  names: readonly string[] | undefined,
): { readonly data?: { readonly attributesLeftOut: readonly string[] } } =>
  names && names.length > 0 ? { data: { attributesLeftOut: names } } : {};
