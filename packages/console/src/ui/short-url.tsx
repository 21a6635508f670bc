// URL in a list row, truncated if too long, with a button that copies it in full.
import { Copy } from './copy.tsx';
import classes from './short-url.module.css';

export function ShortUrl({ url, what }: { readonly url: string; readonly what: string }) {
  return (
    <span className={classes.url}>
      <code title={url}>{url}</code>
      <Copy text={url} what={what} />
    </span>
  );
}
