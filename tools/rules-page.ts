// Reference page of all rules, by group.
import {
  CERTIFICATE_RULES,
  CERTIFICATE_SETS,
  KEY_RULES,
  KEY_SETS,
  REQUEST_RULES,
  REQUEST_SETS,
  type ListedRule,
} from '@signetry/pki/lint';
import { groupUuid, ruleUuid } from '@signetry/x509-rules';
import { page, table } from './page-text.ts';

const SETS = [...CERTIFICATE_SETS, ...REQUEST_SETS, ...KEY_SETS];
const RULES: readonly ListedRule<never>[] = [...CERTIFICATE_RULES, ...REQUEST_RULES, ...KEY_RULES];

const ROLES: Readonly<Record<string, string>> = {
  authority: 'CA certificates',
  subscriber: 'certificates that are not CA certificates',
  issued: 'certificates with a known issuer',
  server: 'TLS servers',
  timeStamper: 'time stamping',
  responder: 'OCSP responders',
  publicServer: 'public TLS servers',
  extendedValidation: 'EV',
  publicMailbox: 'public email',
  publicAuthority: 'public CAs',
  qualified: 'qualified certificates',
};

function scopeOf({ appliesTo = [], effective = {} }: ListedRule<never>): string {
  const { from, until } = effective;
  const dates = [from === undefined ? [] : [`from ${from}`], until === undefined ? [] : [`before ${until}`]].flat();
  return [appliesTo.map((role) => ROLES[role] ?? role).join(', '), ...dates].filter((part) => part !== '').join('; ');
}

const rowOf = (rule: ListedRule<never>): string[] => [
  `\`${rule.id}\``,
  rule.severity,
  `${rule.demand} ${rule.remedy}`,
  scopeOf(rule),
  `\`${rule.field}\``,
  rule.citation,
  `\`${ruleUuid(rule.id)}\``,
];

const TITLES = ['Rule', 'Severity', 'Requirement and remedy', 'Applies to', 'Field', 'Source', 'UUID'];

export function rulesPage(): string {
  const sections = SETS.map(({ code, name, description }) => {
    const rules = RULES.filter(({ set }) => set === code);
    const intro = `${description} ${rules.length} rules; \`--groups ${code}\`; group \`${groupUuid(code)}\`.`;
    return `## ${name}\n\n${intro}\n\n${table(TITLES, rules.map(rowOf))}`;
  });
  return page(
    'Rules for certificates, requests and keys',
    `${RULES.length} rules in ${SETS.length} groups. The connector \`x509-rules\` provides them to compliance profiles, and \`signetry lint\` applies them to files; see the guide \`docs/guide/your-rules.md\`. The built-in authority signs a certificate only if it has no errors in the first two groups. *Public* certificates assert a policy of the CA/Browser Forum. Dates are compared with the start of the validity period.`,
    sections.join('\n\n'),
  );
}
