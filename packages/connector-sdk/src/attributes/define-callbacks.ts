// Builders of call-backs: which operation of the connector yields choices or further fields, and what a form sends to
// it. The operation is bound with `handlersOf` like any other, and stands among the endpoints that the connector
// declares.
import type {
  AttributeCallback,
  AttributeCallbackMapping,
  AttributeContentType,
  DataAttribute,
  Operation,
} from '@signetry/contract';

type Target = AttributeCallbackMapping['targets'][number];

/** A value that a form sends, without the place where it goes. */
export type MappedValue = Pick<AttributeCallbackMapping, 'from' | 'value' | 'attributeType' | 'attributeContentType'>;

/** The value of a field; `path` leads into an item of its content. */
export const valueOf = (
  attribute: Pick<DataAttribute, 'name'> & { readonly contentType?: AttributeContentType },
  path = 'data',
): MappedValue => ({
  from: `${attribute.name}.${path}`,
  attributeType: 'data',
  ...(attribute.contentType ? { attributeContentType: attribute.contentType } : {}),
});

/** The credential that a field names; platforms send the credential itself. */
export const credentialOf = (attribute: Pick<DataAttribute, 'name'>): MappedValue => ({
  from: attribute.name,
  attributeType: 'data',
  attributeContentType: 'credential',
});

/** The same value whatever is entered. */
export const always = (value: string | number | boolean): MappedValue => ({ value });

/** Values by the name of the path parameter, query parameter or member of the body that they become. */
export interface CallbackValues {
  readonly path?: Readonly<Record<string, MappedValue>>;
  readonly query?: Readonly<Record<string, MappedValue>>;
  readonly body?: Readonly<Record<string, MappedValue>>;
}

/** Throws when a path parameter of the operation gets no value. */
export function callbackTo({ method, path, id }: Operation, values: CallbackValues = {}): AttributeCallback {
  const missing = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (values.path?.[name] ? [] : [name]));
  if (missing.length > 0) throw new Error(`The call-back to ${id} lacks a value for ${missing.join(', ')}.`);
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

/** Lets a form offer the credentials of a kind that the platform keeps. */
export const credentialsOfKind = (kind: string): AttributeCallback => ({
  callbackContext: 'core/getCredentials',
  callbackMethod: 'GET',
  mappings: [{ to: 'credentialKind', targets: ['pathVariable'], value: kind }],
});
