// Attributes: definitions that connectors give, values that callers and connectors give, for objects of every resource.
// Owns: attribute_definition, attribute_value. Invariants: a value belongs to a kept definition whose content type
// never changes; secrets are sealed and leave only toward connectors.
export { checkPlatformValues, createAttributeEngine, type AttributeEngine, type ValueSetToWrite } from './engine.ts';
export { refuseCustomAttributes } from './custom-attributes.ts';
export { leftOutData } from './domain.ts';
export type { CredentialUse } from './credentials.ts';
export type { AttributeObject, AttributeScope } from './domain.ts';
export { secretColumn } from './seal-values.ts';
export { keepSecrets, maskSecrets } from './secrets.ts';
