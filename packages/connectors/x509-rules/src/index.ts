// Built-in compliance provider: function groups complianceProvider and complianceProviderV2, kind x509. The rules are
// those of @signetry/pki/lint; this package adds identifiers, groups and attributes of the connector interface.
export { x509Rules } from './connector.ts';
export { groupUuid, ruleUuid } from './identifiers.ts';
