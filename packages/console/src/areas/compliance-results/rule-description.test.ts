import { expect, it } from 'vitest';
import { parseRuleDescription } from './rule-description.ts';

it('splits the description of a built-in rule into its parts, even if its clause contains semicolons and parentheses', () => {
  const description =
    'Names are host names. Write them so. (RFC 5280 §4.2.1.6; RFC 1034 §3.5 (b); extensions.subjectAltName; error)';
  expect(parseRuleDescription(description)).toEqual({
    text: 'Names are host names. Write them so.',
    clause: 'RFC 5280 §4.2.1.6; RFC 1034 §3.5 (b)',
    field: 'extensions.subjectAltName',
    severity: 'error',
  });
});

it('leaves the descriptions of other connectors unchanged', () => {
  for (const description of ['Certificates end soon.', 'Ends soon (by policy 7)', 'Ends soon (policy; fatal)'])
    expect(parseRuleDescription(description)).toEqual({ text: description });
  expect(parseRuleDescription(undefined)).toEqual({ text: '' });
});
