// The built-in entity provider for servers that have their keys and certificates in files: function group
// entityProvider, kind PEM. The files are on this machine or reached through SSH. Owns: entity.
export { fileEntities } from './connector.ts';
export { ENTITY } from './entities/entity-form.ts';
export { LOCATION } from './locations/location-form.ts';
export { REQUEST } from './locations/request-form.ts';
