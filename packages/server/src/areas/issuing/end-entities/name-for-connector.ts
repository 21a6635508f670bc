// Converts distinguished names written by users for a connector, which does not know the codes defined by
// administrators.
import { buildName, formatNameRfc4514, isPkiError, parseNameText, type NameCodes } from '@signetry/pki';

/**
 * Returns RFC 4514 text with OIDs in place of codes known only to the platform. Text that can be parsed without them is
 * sent unchanged, and so is text that is not a name: the connector reports what is wrong with it.
 */
export const nameForConnector = (text: string, codes: NameCodes): string =>
  written(text) === undefined ? (written(text, codes) ?? text) : text;

/** Returns undefined if the text is not a name with these codes. */
function written(text: string, codes?: NameCodes): string | undefined {
  try {
    return formatNameRfc4514(buildName(parseNameText(text, codes)));
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
