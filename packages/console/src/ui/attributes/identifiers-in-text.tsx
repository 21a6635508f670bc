// Attribute texts can contain object identifiers, such as a connector's key usages. The component that shows their
// names belongs to a higher layer, so the application frame provides it.
import { createContext, useContext, type ComponentType } from 'react';

export interface IdentifierNamesProps {
  readonly identifiers: readonly string[];
}

/** Component that renders the names of known identifiers. */
export const IdentifierNames = createContext<ComponentType<IdentifierNamesProps> | undefined>(undefined);

/** Maximum number of names shown below a field. */
const MOST = 20;

/** Returns the distinct identifiers in a text. The first arc is 0, 1 or 2 (X.660 §A.2). */
const identifiersIn = (text: string): readonly string[] =>
  [...new Set(text.match(/(?<![\w.])[0-2](?:\.(?:0|[1-9]\d*)){2,}(?![\w.])/g))].slice(0, MOST);

export function IdentifiersInText({ text }: { readonly text: string }) {
  const Names = useContext(IdentifierNames);
  const identifiers = identifiersIn(text);
  return Names === undefined || identifiers.length === 0 ? null : <Names identifiers={identifiers} />;
}
