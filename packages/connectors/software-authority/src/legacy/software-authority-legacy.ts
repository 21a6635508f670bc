// The software CA as a first-generation connector: function group legacyAuthorityProvider, kind SoftwareCALegacy. The
// two generations share paths, so this is a separate connector with its own tables; the signing code is shared.
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
  // OCSP delegation is not offered, because platforms request responder certificates through second-generation
  // operations.
  functions: { legacyAuthorityProvider: { kinds: [KIND], features: sharedFeatures } },
  migrations: legacyMigrations,
  sealedValues: [{ table: 'authority', key: 'uuid', column: 'sealed_key', purpose: keyPurpose }],
  create(context) {
    // The first-generation form shows all fields together. It has no callbacks, so keys in tokens cannot be selected.
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
