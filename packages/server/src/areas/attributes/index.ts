// Attributes: definitions from connectors and administrators, and values from callers and connectors, for objects of
// every resource. Owns: attribute_definition, attribute_value. Invariants: a value belongs to a stored definition whose
// content type never changes; secrets are sealed and sent only to connectors; a custom attribute is visible to, and
// accepted from, only callers who can use it.
//
// check-values.ts, constraints.ts        validation of values: types, choices, patterns, ranges, times
// content.ts                             format of each content type, and the value that an item is searched by
// secrets.ts, seal-values.ts             secrets, masked in responses and sealed in the database
// custom/                                custom attributes: their definitions (service.ts) and values (values.ts)
// engine.ts, attribute-terms.ts          interface for other areas to validate, store and read values
// definitions.ts, read-definition.ts     definitions from connectors, stored when they change; define-values.ts
// read-values.ts, present.ts             values of an object, for users and for connectors
// credentials.ts, signing-keys.ts        attributes that reference a credential, or a key pair in a token
// metadata.ts                            facts that connectors return about an object, and where they found it
// global-metadata.ts                     metadata definitions that apply to all connectors
// store-definitions.ts, store-values.ts  queries for definitions and values; also store-global-metadata.ts
// routes.ts, tables.ts                   operations and rows
import type { Area, ObjectNames, Platform, ValueHolders } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createCustomAttributeService } from './custom/service.ts';
import { createValueOperations, type ValueOperations } from './custom/set-value.ts';
import { createAttributeEngine, type AttributeEngine } from './engine.ts';
import { createGlobalMetadataService } from './global-metadata.ts';
import { attributeRoutes } from './routes.ts';
import { secretColumn } from './seal-values.ts';
import { findGrantableNames } from './store-definitions.ts';

export { checkPlatformValues, createAttributeEngine, type AttributeEngine, type ValueSetToWrite } from './engine.ts';
export type { AcceptedCustomValues, CustomValues } from './custom/values.ts';
export { defaultAttributes } from './read-definition.ts';
export { omittedAttributesData } from './attribute-terms.ts';
export type { CredentialUse } from './credentials.ts';
export type { AttributeObject, AttributeScope } from './attribute-terms.ts';
export { retainSecrets, maskSecrets } from './secrets.ts';
export { describeOrigin } from './metadata.ts';
export { isSigningKeyCallback, type SigningKeySource } from './signing-keys.ts';

export interface AttributesArea extends Area {
  readonly engine: AttributeEngine;
  /** Sets the values of one custom attribute of an object, within the caller's permissions. */
  readonly setValue: ValueOperations['set'];
}

/** `valueHolders` and `objectNames` are complete only after all areas have been created. */
export function createAttributesArea(
  platform: Platform,
  parts: {
    readonly audit: AuditTrail;
    readonly valueHolders: () => ValueHolders;
    readonly objectNames: () => ObjectNames;
  },
): AttributesArea {
  const { audit, valueHolders, objectNames } = parts;
  const engine = createAttributeEngine(platform);
  const values = createValueOperations(platform, { audit, values: engine.custom, holders: valueHolders, objectNames });
  return {
    engine,
    setValue: values.set,
    routes: attributeRoutes({
      custom: createCustomAttributeService(platform, { audit, changed: engine.custom.forget }),
      values,
      metadata: createGlobalMetadataService(platform, { audit }),
    }),
    objectNames: { attributes: findGrantableNames },
    sealedColumns: () => [secretColumn],
  };
}
