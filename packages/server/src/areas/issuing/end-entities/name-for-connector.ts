// Distinguished names that people write, on their way to a connector, which does not know the codes of administrators.
import { buildName, formatNameRfc4514, isPkiError, parseNameText, type NameCodes } from '@signetry/pki';

/**
 * RFC 4514 text with numbers in place of codes that only the platform knows. A text that is clear without them is sent
 * as it was written, and so is one that is no name: the connector says what is wrong with it.
 */
export const nameForConnector = (text: string, codes: NameCodes): string =>
  written(text) === undefined ? (written(text, codes) ?? text) : text;

/** Undefined for what is no name with these codes. */
function written(text: string, codes?: NameCodes): string | undefined {
  try {
    return formatNameRfc4514(buildName(parseNameText(text, codes)));
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}
