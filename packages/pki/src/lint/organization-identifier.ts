// Organization identifiers in registration schemes, as specified by the CA/Browser Forum (EVG §7.1.4.2.8, S/MIME BR
// appendix A) and ETSI EN 319 412-1 §5.1.4: a three-letter scheme, a country, a hyphen and a number.
import { isCountry } from './attribute-problems.ts';

const IDENTIFIER = /^([A-Z]{3})([A-Z]{2})(?:\+[A-Z0-9]{1,3})?(?:-(.+))?$/;
/** Government entities and international organizations need no number (S/MIME BR §7.1.4.2.2). */
const WITHOUT_NUMBER: readonly string[] = ['GOV', 'INT'];

/** Returns an identifier's problem as a sentence. XG is the code for identifiers without a country. */
export function registrationProblem(identifier: string, schemes: readonly string[]): string | undefined {
  const shown = `The organization identifier "${identifier.slice(0, 64)}"`;
  const [, scheme = '', country = '', number] = IDENTIFIER.exec(identifier) ?? [];
  if (scheme === '' || (number === undefined && !WITHOUT_NUMBER.includes(scheme)))
    return `${shown} must consist of a scheme, a country, a hyphen and a number.`;
  if (!schemes.includes(scheme))
    return `${shown} has the unknown scheme ${scheme}. Known schemes: ${schemes.join(', ')}.`;
  return isCountry(country) || ['XG', 'EU', 'EL', 'XI'].includes(country)
    ? undefined
    : `${shown} has the unknown country ${country}.`;
}
