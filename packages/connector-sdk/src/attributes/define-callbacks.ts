// Builders for callbacks. A callback names the connector operation that returns choices or further fields, and the
// values that a form sends to it. Bind the operation with `handlersOf` like any other; it is listed among the
// connector's declared endpoints.
import type {
  AttributeCallback,
  AttributeCallbackMapping,
  AttributeContentType,
  DataAttribute,
  Operation,
} from '@signetry/contract';

type Target = AttributeCallbackMapping['targets'][number];

/** A value that a form sends, without its destination. */
export type MappedValue = Pick<AttributeCallbackMapping, 'from' | 'value' | 'attributeType' | 'attributeContentType'>;

/** A field's value; `path` selects part of a content item. */
export const valueOf = (
  attribute: Pick<DataAttribute, 'name'> & { readonly contentType?: AttributeContentType },
  path = 'data',
): MappedValue => ({
  from: `${attribute.name}.${path}`,
  attributeType: 'data',
  ...(attribute.contentType ? { attributeContentType: attribute.contentType } : {}),
});

/** The credential selected in a field; platforms send its contents, not a reference. */
export const credentialOf = (attribute: Pick<DataAttribute, 'name'>): MappedValue => ({
  from: attribute.name,
  attributeType: 'data',
  attributeContentType: 'credential',
});

/** A constant value, regardless of the form. */
export const always = (value: string | number | boolean): MappedValue => ({ value });

/** Values, keyed by the path parameter, query parameter or body member that receives them. */
export interface CallbackValues {
  readonly path?: Readonly<Record<string, MappedValue>>;
  readonly query?: Readonly<Record<string, MappedValue>>;
  readonly body?: Readonly<Record<string, MappedValue>>;
}

/** Throws if a path parameter of the operation has no value. */
export function callbackTo({ method, path, id }: Operation, values: CallbackValues = {}): AttributeCallback {
  const missing = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (values.path?.[name] ? [] : [name]));
  if (missing.length > 0) throw new Error(`The callback to ${id} lacks a value for ${missing.join(', ')}.`);
  return {
    callbackContext: path,
    callbackMethod: method,
    mappings: [
      ...mappings('pathVariable', values.path),
      ...mappings('requestParameter', values.query),
      ...mappings('body', values.body),
    ],
  };
}

const mappings = (target: Target, values: Readonly<Record<string, MappedValue>> = {}): AttributeCallbackMapping[] =>
  Object.entries(values).map(([to, value]) => ({ ...value, to, targets: [target] }));

/** Lets a form offer the platform's credentials of a specific kind. */
export const credentialsOfKind = (kind: string): AttributeCallback => ({
  callbackContext: 'core/getCredentials',
  callbackMethod: 'GET',
  mappings: [{ to: 'credentialKind', targets: ['pathVariable'], value: kind }],
});
