// The software CA as a connector of the first generation: function group legacyAuthorityProvider, kind
// SoftwareCALegacy. The two generations share their paths, so it is a connector of its own, with tables of its own;
// what signs is the same.
import { defineConnector } from '@signetry/connector-sdk';
import { keyPurpose } from '../authorities/authority-registry.ts';
import { authorityFunctions } from '../authority-handlers.ts';
import { sharedFeatures } from '../declaration.ts';
import { healthOf } from '../health.ts';
import { createParts } from '../parts.ts';
import { endEntityFunctions, instanceFunctions, profileFunctions } from './legacy-functions.ts';
import { createLegacyParts } from './legacy-parts.ts';
import { legacyMigrations } from './migrations.ts';

const KIND = 'SoftwareCALegacy';

export const softwareAuthorityLegacy = defineConnector({
  name: 'software-authority-legacy',
  // No OCSP delegation: platforms ask for the certificates of their responders as the second generation has it.
  functions: { legacyAuthorityProvider: { kinds: [KIND], features: sharedFeatures } },
  migrations: legacyMigrations,
  sealedValues: [{ table: 'authority', key: 'uuid', column: 'sealed_key', purpose: keyPurpose }],
  create(context) {
    // The form of this generation has all fields at once: it has no call-backs, so keys in tokens cannot be chosen.
    const own = { ...context, tokenKeys: undefined };
    const engine = createParts(own);
    const parts = createLegacyParts(engine, own);
    const { form: _form, ...functions } = authorityFunctions(engine, own, KIND);
    return {
      functions: {
        legacyAuthorityProvider: {
          ...instanceFunctions(parts, functions),
          ...profileFunctions(parts),
          ...endEntityFunctions(parts),
        },
      },
      health: () => healthOf(engine),
    };
  },
});
