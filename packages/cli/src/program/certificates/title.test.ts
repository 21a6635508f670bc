import { expect, it } from 'vitest';
import { titleOf, type NamedCertificate } from './title.ts';

it.each<readonly [NamedCertificate, string]>([
  [{ commonName: 'web.example', alternativeName: 'other.example' }, 'web.example'],
  [{ commonName: '', alternativeName: 'first.example', subjectDn: 'O=Example' }, 'first.example'],
  [
    { commonName: '', subjectAlternativeNames: { iPAddress: ['192.0.2.1'], dNSName: ['first.example'] } },
    'first.example',
  ],
  [{ commonName: '', subjectAlternativeNames: { registeredID: ['1.2.3'] } }, '1.2.3'],
  [{ commonName: '', subjectDn: 'O=Example' }, 'O=Example'],
  [{ commonName: '' }, '-'],
  [{ commonName: 'xn--mnchen-3ya.example' }, 'xn--mnchen-3ya.example (münchen.example)'],
  // All Cyrillic; looks like "apple".
  [{ commonName: 'xn--80ak6aa92e.example' }, 'xn--80ak6aa92e.example'],
])('%j has the title %s', (certificate, title) => {
  expect(titleOf(certificate)).toBe(title);
});
