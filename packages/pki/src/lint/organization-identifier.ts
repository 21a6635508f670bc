// Identifiers of organizations in registration schemes, as the CA/Browser Forum (EVG §7.1.4.2.8, S/MIME BR appendix A)
// and ETSI EN 319 412-1 §5.1.4 write them: three letters of the scheme, a country, a hyphen, the number.
import { isCountry } from './attribute-problems.ts';

const IDENTIFIER = /^([A-Z]{3})([A-Z]{2})(?:\+[A-Z0-9]{1,3})?(?:-(.+))?$/;
/** Government entities and international organizations may have no number (S/MIME BR §7.1.4.2.2). */
const WITHOUT_NUMBER: readonly string[] = ['GOV', 'INT'];

/** What is wrong with an identifier, as a sentence. XG is the country of identifiers without one. */
export function registrationProblem(identifier: string, schemes: readonly string[]): string | undefined {
  const shown = `The organization identifier "${identifier.slice(0, 64)}"`;
  const [, scheme = '', country = '', number] = IDENTIFIER.exec(identifier) ?? [];
  if (scheme === '' || (number === undefined && !WITHOUT_NUMBER.includes(scheme)))
    return `${shown} is not a scheme, a country, a hyphen and a number.`;
  if (!schemes.includes(scheme)) return `${shown} has the scheme ${scheme}; known are ${schemes.join(', ')}.`;
  return isCountry(country) || ['XG', 'EU', 'EL', 'XI'].includes(country)
    ? undefined
    : `${shown} has the country ${country}, which does not exist.`;
}
