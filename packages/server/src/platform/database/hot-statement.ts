/** A statement of a hot path: parsed and planned once for each connection. A name stands for exactly one text. */
export interface HotStatement {
  readonly name: string;
  readonly text: string;
}
