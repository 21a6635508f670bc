// Footer of a list: the range of shown rows, the total, and links to the other pages.
import { Group, NumberInput, Pagination, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../format/names.ts';

export interface PageFooterProps {
  readonly page: number;
  /** Rows per page. */
  readonly size: number;
  readonly totalItems: number;
  readonly totalPages: number;
  /** Whether the total is a lower bound because the platform stopped counting early. */
  readonly isAtLeast?: boolean;
  readonly onPage: (page: number) => void;
  /** Called when the link to a page is hovered or focused, so that the page can be prefetched. */
  readonly onApproach?: ((page: number) => void) | undefined;
  /** Shown before the links, e.g. the number of rows per page. */
  readonly children?: ReactNode;
}

/** From this number of pages on, the page links alone no longer reach every page. */
const MANY_PAGES = 10;

export function PageFooter(props: PageFooterProps) {
  const { page, size, totalItems, isAtLeast = false, onPage, onApproach, children } = props;
  const total = formatCount(totalItems);
  // If counting stopped early, there is always a next page after a full one.
  const totalPages = isAtLeast ? Math.max(props.totalPages, page + 1) : props.totalPages;
  const preloadProps = (to: number) =>
    onApproach && to !== page && to >= 1 && to <= totalPages
      ? { onPointerEnter: () => onApproach(to), onFocus: () => onApproach(to) }
      : {};
  return (
    <Group justify="space-between" px="1.25rem" py="sm">
      <Text size="sm" c="dimmed">
        {formatCount((page - 1) * size + 1)}–{formatCount(Math.min(page * size, totalItems))} of{' '}
        {isAtLeast ? `more than ${total}` : total}
      </Text>
      <Group gap="md">
        {children}
        {totalPages > MANY_PAGES && <PageField page={page} totalPages={isAtLeast ? undefined : totalPages} onPage={onPage} />}
        {totalPages > 1 && (
          <Pagination
            size="sm"
            total={totalPages}
            value={page}
            onChange={onPage}
            getControlProps={(control) => ({
              'aria-label': `${control} page`,
              ...preloadProps(control === 'next' ? page + 1 : control === 'previous' ? page - 1 : 0),
            })}
            getItemProps={preloadProps}
          />
        )}
      </Group>
    </Group>
  );
} // prettier-ignore

/** Opens a page by number. */
function PageField(props: {
  readonly page: number;
  /** Undefined if unknown. */
  readonly totalPages: number | undefined;
  readonly onPage: (page: number) => void;
}) {
  const { page, totalPages, onPage } = props;
  const [typed, setTyped] = useState<number | string>('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Number(typed);
        if (typed !== '' && wanted >= 1 && wanted !== page) onPage(Math.min(wanted, totalPages ?? wanted));
        setTyped('');
      }}
    >
      <NumberInput
        size="xs"
        w="7rem"
        hideControls
        allowDecimal={false}
        allowNegative={false}
        maxLength={9}
        aria-label="Go to page"
        placeholder="Go to page…"
        value={typed}
        onChange={setTyped}
      />
    </form>
  );
}
