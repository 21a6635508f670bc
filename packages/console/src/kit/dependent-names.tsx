// Links object names within a line of text from the platform.
import { Fragment, type ReactNode } from 'react';
import { TextLink } from '../ui/text-link.tsx';

/** Object that a line can name, and the object's page. */
export interface Dependent {
  readonly name: string;
  readonly to: string;
}

/** Part of a line: plain text, or a known object. */
export type LinePart = string | Dependent;

/**
 * Splits a line that ends with a list of names: `Dependent Authorities (2): A, B`. Names can contain the separators, so
 * known names are matched as a whole; unknown names remain plain text.
 */
export function partsOfLine(line: string, known: readonly Dependent[]): readonly LinePart[] {
  const start = line.indexOf(': ') + 2;
  if (start === 1) return [line];
  const parts: LinePart[] = [line.slice(0, start)];
  const byLength = known.toSorted((one, other) => other.name.length - one.name.length);
  let rest = line.slice(start);
  while (rest !== '') {
    const named = byLength.find(({ name }) => rest === name || rest.startsWith(`${name}, `));
    const end = named ? named.name.length : endOfName(rest);
    parts.push(named ?? rest.slice(0, end));
    if (rest.length > end) parts.push(', ');
    rest = rest.slice(end + 2);
  }
  return parts;
}

function endOfName(rest: string): number {
  const end = rest.indexOf(', ');
  return end < 0 ? rest.length : end;
}

export const withLinks = (line: string, known: readonly Dependent[]): ReactNode =>
  partsOfLine(line, known).map((part, place) => (
    // oxlint-disable-next-line no-array-index-key -- a part is its place
    <Fragment key={place}>
      {typeof part === 'string' ? (
        part
      ) : (
        <TextLink inSentence to={part.to}>
          {part.name}
        </TextLink>
      )}
    </Fragment>
  ));
