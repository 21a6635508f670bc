// Texts of attributes may hold object identifiers, such as the key usages of a connector. What names them is above the
// layer of these parts, and is given by the frame of the console.
import { createContext, useContext, type ComponentType } from 'react';

export interface NamesOfIdentifiersProps {
  readonly identifiers: readonly string[];
}

/** Draws the names of those that have one. */
export const NamesOfIdentifiers = createContext<ComponentType<NamesOfIdentifiersProps> | undefined>(undefined);

/** Nobody reads more names below a field. */
const MOST = 20;

/** X.660 §A.2: the first arc is 0, 1 or 2. Each is told once. */
const identifiersIn = (text: string): readonly string[] =>
  [...new Set(text.match(/(?<![\w.])[0-2](?:\.(?:0|[1-9]\d*)){2,}(?![\w.])/g))].slice(0, MOST);

export function IdentifiersInText({ text }: { readonly text: string }) {
  const Names = useContext(NamesOfIdentifiers);
  const identifiers = identifiersIn(text);
  return Names === undefined || identifiers.length === 0 ? null : <Names identifiers={identifiers} />;
}
