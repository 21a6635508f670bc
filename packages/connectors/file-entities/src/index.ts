// The built-in entity provider for servers with keys and certificates in files: function group entityProvider, kinds
// PEM and Keystore. The files are on this machine or are accessed over SSH. Owns: entity.
export { fileEntities } from './connector.ts';
export { ENTITY, KEY_STORE_ENTITY } from './entities/entity-form.ts';
export { LOCATION } from './locations/location-form.ts';
export { REQUEST } from './locations/request-form.ts';
export { KEY_STORE } from './key-stores/key-store-form.ts';
export { KEY_STORE_REQUEST } from './key-stores/key-store-request-form.ts';
