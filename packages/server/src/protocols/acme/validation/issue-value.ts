// Grammar shared by CAA and dns-persist-01 records (RFC 8659 §4.2): an issuer and parameters. Pure.

export interface IssueValue {
  readonly issuer: string;
  /** Lowercase tags and their values, in order; a tag may be repeated. */
  readonly parameters: readonly (readonly [string, string])[];
}

const WHITE_SPACE = /^[ \t]+|[ \t]+$/g;
const LABEL = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const ISSUER = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
const PARAMETER = new RegExp(`^(${LABEL})[ \\t]*=[ \\t]*([\\x21-\\x3a\\x3c-\\x7e]*)$`, 'i');

/**
 * Maximum length of a value. Longer values are not useful, and the patterns above are not meant for kilobytes of
 * spaces.
 */
const MAX_VALUE_LENGTH = 2048;

/** Parses a value; returns undefined if it does not match the grammar or has no issuer. */
export function readIssueValue(text: string): IssueValue | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined;
  const [issuer = '', ...rest] = text.split(';').map((part) => part.replace(WHITE_SPACE, ''));
  if (!ISSUER.test(issuer.toLowerCase())) return undefined;
  const parameters: (readonly [string, string])[] = [];
  for (const part of rest.length === 1 && rest[0] === '' ? [] : rest) {
    const [, tag, value] = PARAMETER.exec(part) ?? [];
    if (tag === undefined || value === undefined) return undefined;
    parameters.push([tag.toLowerCase(), value]);
  }
  return { issuer: issuer.toLowerCase(), parameters };
}

/** Returns a parameter's values, in order; the caller decides how to handle repeated values. */
export const valuesOf = ({ parameters }: IssueValue, tag: string): readonly string[] =>
  parameters.filter(([known]) => known === tag).map(([, value]) => value);
