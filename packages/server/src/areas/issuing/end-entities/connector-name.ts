// Converts distinguished names written by users for a connector, which does not know the codes defined by
// administrators.
import { buildName, formatNameRfc4514, isPkiError, parseNameText, type NameCodes } from '@signetry/pki';

/**
 * Returns RFC 4514 text with OIDs in place of codes that only the platform knows. Text that can be parsed without these
 * codes is sent unchanged. Text that is not a name is also sent unchanged, because the connector reports what is wrong
 * with it.
 */
export const toConnectorName = (text: string, codes: NameCodes): string =>
  rewriteName(text) === undefined ? (rewriteName(text, codes) ?? text) : text;

/** Returns undefined if the text is not a name with these codes. */
function rewriteName(text: string, codes?: NameCodes): string | undefined {
  try {
    return formatNameRfc4514(buildName(parseNameText(text, codes)));
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
