// Attribute engine terms: objects with values, value sets, and metadata sources. No I/O.
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

/** Separates an object's value sets by use; absent for plain configuration. */
export type AttributeOperation = 'issue' | 'revoke' | 'sign' | 'encrypt' | 'push' | 'csr';

/** One of an object's value sets, which is always written as a whole. */
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

/** Returns audit record data for an edit: the names of previous attributes that the new list omits. */
export const omittedAttributesData = (
  names: readonly string[] | undefined,
): { readonly data?: { readonly attributesLeftOut: readonly string[] } } =>
  names && names.length > 0 ? { data: { attributesLeftOut: names } } : {};
