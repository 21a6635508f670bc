// Set of subtrees over sequences of labels (a name's RDNs from the top, or a domain's labels from the right). A lookup
// is a single walk, regardless of the number of subtrees.
import type { Budget } from './budget.ts';

interface Node {
  readonly children: Map<string, Node>;
  /** Whether the sequence that ends here is in the set. */
  self: boolean;
  /** Whether all longer sequences are in the set. */
  below: boolean;
  /** Whether any sequence with exactly one more label is in the set. */
  hasSelfBelow: boolean;
}

export interface Subtrees {
  add(labels: readonly string[], reach: { readonly self: boolean; readonly below: boolean }): void;
  has(labels: readonly string[]): boolean;
  /** Returns whether any sequence with one more label can be in the set; used for wildcards. */
  hasOneBelow(labels: readonly string[]): boolean;
}

const newNode = (): Node => ({ children: new Map(), self: false, below: false, hasSelfBelow: false });

export function createSubtrees(budget: Budget): Subtrees {
  const root = newNode();

  function child(node: Node, label: string): Node {
    const known = node.children.get(label);
    if (known !== undefined) return known;
    const made = newNode();
    node.children.set(label, made);
    return made;
  }

  /**
   * Returns the node for a sequence, `true` if everything below a prefix is in the set, or `false` if nothing starts
   * with these labels.
   */
  function walk(labels: readonly string[]): Node | boolean {
    let node: Node | undefined = root;
    for (const label of labels) {
      if (node.below) return true;
      budget.spend(1);
      node = node.children.get(label);
      if (node === undefined) return false;
    }
    return node;
  }

  return {
    add(labels, { self, below }) {
      budget.spend(4 * (labels.length + 1)); // Creating nodes costs more than finding them.
      let node = root;
      let parent: Node | undefined;
      for (const label of labels) [parent, node] = [node, child(node, label)];
      node.self ||= self;
      node.below ||= below;
      if (parent !== undefined && self) parent.hasSelfBelow = true;
    },
    has(labels) {
      const node = walk(labels);
      return typeof node === 'boolean' ? node : node.self;
    },
    hasOneBelow(labels) {
      const node = walk(labels);
      return typeof node === 'boolean' ? node : node.below || node.hasSelfBelow;
    },
  };
}
