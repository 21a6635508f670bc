// The built-in compliance provider: function groups complianceProvider and complianceProviderV2, kind x509. The rules
// are those in @signetry/pki/lint. This package adds the identifiers, groups and attributes that the connector
// interface requires.
export { x509Rules } from './connector.ts';
export { groupUuid, ruleUuid } from './identifiers.ts';
