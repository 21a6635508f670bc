// An address in a row of a list, cut where it is too long, with a button that copies all of it.
import { Copy } from './copy.tsx';
import classes from './short-address.module.css';

export function ShortAddress({ url, what }: { readonly url: string; readonly what: string }) {
  return (
    <span className={classes.url}>
      <code title={url}>{url}</code>
      <Copy text={url} what={what} />
    </span>
  );
}
