// The checks of every function group against connectors that are made with the kit, within a process.
import { developmentContext, startConnector, type Connector } from '@signetry/connector-sdk';
import { describe, expect, it } from 'vitest';
import { checkConnector } from './check-connector.ts';
import { reachInProcess } from './reach.ts';
import { sampleInventory } from './testing/sample-inventory.ts';
import { sampleKeys } from './testing/sample-keys.ts';
import { sampleLegacy } from './testing/sample-legacy.ts';
import type { GivenValues } from './values/given-values.ts';

async function check(connector: Connector, values: GivenValues = {}) {
  const running = await startConnector(connector, developmentContext());
  const { results } = await checkConnector({ reach: reachInProcess(running), values });
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
        'credentialProvider: finds in the values of a credential: values without data_token, which is required',
        'discoveryProvider: answers what was found page by page, as certificates',
        'discoveryProvider: forgets a discovery that is deleted',
        'entityProvider: removes a certificate from the location',
        'complianceProvider: checks a certificate by every rule',
        'complianceProviderV2: answers rules and groups in one batch',
        'notificationProvider: sends a message, or says in words why it cannot',
        'notificationProvider: shows what it would send',
      ]),
    );
    expect(notOffered.filter((title) => !title.includes('Idempotency-Key'))).toEqual([
      'complianceProviderV2: checks a certification request by every rule about such',
    ]);
  });

  it.each(['RSA-2048', 'P-256', 'ML-DSA-65'])('pass for keys of %s', async (algorithm) => {
    const { unsound, passed, notOffered } = await check(sampleKeys(), { Memory: { data_algorithm: algorithm } });
    expect(unsound).toEqual([]);
    expect(passed).toContain('cryptographyProvider: verifies signatures, and finds what was changed');
    const decryption = 'cryptographyProvider: decrypts what it encrypted with an RSA key';
    expect(algorithm === 'RSA-2048' ? passed : notOffered).toContain(decryption);
  });

  it('find a signature that the public key does not verify', async () => {
    const { failed } = await check(sampleKeys('signature of another key'));
    expect(failed).toContain('cryptographyProvider: signs with the private key');
  });

  it('pass for authorities of the first generation', async () => {
    const { unsound, passed } = await check(sampleLegacy);
    expect(unsound).toEqual([]);
    expect(passed).toContain('legacyAuthorityProvider: issues a certificate to an end entity');
  });
});
