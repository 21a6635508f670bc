import { describe, expect, it } from 'vitest';
import { accountLabel } from './account-label.ts';

describe('the account label', () => {
  it.each([
    // The example from draft-ietf-acme-dns-account-label, then values from the tool that its authors published with it.
    ['https://example.com/acme/acct/ExampleAccount', 'ujmmovf2vn55tgye'],
    ['http://localhost:4000/acme/acct/1', 'vkbgbqfhr6yv2asd'],
    ['https://acme-v02.api.letsencrypt.org/acme/acct/12345', 'lvrajhh53e27yh7f'],
    ['https://acme-staging-v02.api.letsencrypt.org/acme/acct/67890', '2slyxozq54jc5ljm'],
  ])('for %s is %s', (url, label) => expect(accountLabel(url)).toBe(label));
});
