/** Statement on a hot path, parsed and planned once per connection. A name identifies exactly one text. */
export interface HotStatement {
  readonly name: string;
  readonly text: string;
}
