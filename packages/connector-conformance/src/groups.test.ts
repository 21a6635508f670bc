// Checks of every function group, run in process against connectors built with the SDK.
import { developmentContext, startConnector, type Connector } from '@signetry/connector-sdk';
import { describe, expect, it } from 'vitest';
import { checkConnector } from './check-connector.ts';
import { inProcessTransport } from './transport.ts';
import { sampleInventory } from './testing/sample-inventory.ts';
import { sampleKeys } from './testing/sample-keys.ts';
import { sampleLegacy } from './testing/sample-legacy.ts';
import type { GivenValues } from './values/given-values.ts';

async function check(connector: Connector, values: GivenValues = {}) {
  const running = await startConnector(connector, developmentContext());
  const { results } = await checkConnector({ transport: inProcessTransport(running), values });
  const titlesOf = (wanted: string) =>
    results.filter(({ outcome }) => outcome === wanted).map(({ group, check: title }) => `${group}: ${title}`);
  return {
    unsound: results.filter(({ outcome }) => outcome === 'failed' || outcome === 'notChecked'),
    passed: titlesOf('passed'),
    failed: titlesOf('failed'),
    notOffered: titlesOf('notOffered'),
  };
}

describe('the checks', () => {
  it('pass for credentials, discoveries, entities, compliance and notifications', async () => {
    const { unsound, passed, notOffered } = await check(sampleInventory);
    expect(unsound).toEqual([]);
    expect(passed).toEqual(
      expect.arrayContaining([
        'credentialProvider: rejects attributes without the required data_token when validating credential attributes',
        'discoveryProvider: returns the discovered certificates page by page',
        'discoveryProvider: deletes a discovery',
        'entityProvider: removes a certificate from the location',
        'complianceProvider: checks a certificate against every rule',
        'complianceProviderV2: returns rules and groups in one batch',
        'notificationProvider: sends a message, or returns an error message',
        'notificationProvider: returns a preview of a message',
      ]),
    );
    expect(notOffered.filter((title) => !title.includes('Idempotency-Key'))).toEqual([
      'complianceProviderV2: checks a CSR against every applicable rule',
    ]);
  });

  it.each(['RSA-2048', 'P-256', 'ML-DSA-65'])('pass for %s keys', async (algorithm) => {
    const { unsound, passed, notOffered } = await check(sampleKeys(), { Memory: { data_algorithm: algorithm } });
    expect(unsound).toEqual([]);
    expect(passed).toContain('cryptographyProvider: accepts a valid signature and rejects one of different data');
    const decryption = 'cryptographyProvider: encrypts and decrypts with an RSA key';
    expect(algorithm === 'RSA-2048' ? passed : notOffered).toContain(decryption);
  });

  it('detect a signature that does not verify with the public key', async () => {
    const { failed } = await check(sampleKeys('signature of another key'));
    expect(failed).toContain('cryptographyProvider: signs with the private key');
  });

  it('pass for legacy authorities', async () => {
    const { unsound, passed } = await check(sampleLegacy);
    expect(unsound).toEqual([]);
    expect(passed).toContain('legacyAuthorityProvider: issues a certificate to an end entity');
  });
});
