// The footer of a list: which rows are shown, of how many, and links to the other pages.
import { Group, NumberInput, Pagination, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../format/names.ts';

export interface PageFootProps {
  readonly page: number;
  /** Rows of a full page. */
  readonly size: number;
  readonly totalItems: number;
  readonly totalPages: number;
  /** The platform stopped counting early. */
  readonly isAtLeast?: boolean;
  readonly onPage: (page: number) => void;
  /** The pointer or the focus is on the link to a page, which may be fetched before it is opened. */
  readonly onApproach?: ((page: number) => void) | undefined;
  /** Before the links, e.g. the number of rows per page. */
  readonly children?: ReactNode;
}

/** From so many pages on, links to a few of them do not lead everywhere. */
const MANY_PAGES = 10;

export function PageFoot(props: PageFootProps) {
  const { page, size, totalItems, isAtLeast = false, onPage, onApproach, children } = props;
  const total = formatCount(totalItems);
  // Where counting ended early there is another page after a full one.
  const totalPages = isAtLeast ? Math.max(props.totalPages, page + 1) : props.totalPages;
  const approaching = (to: number) =>
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
              ...approaching(control === 'next' ? page + 1 : control === 'previous' ? page - 1 : 0),
            })}
            getItemProps={approaching}
          />
        )}
      </Group>
    </Group>
  );
} // prettier-ignore

/** Goes to a page by its number. */
function PageField(props: {
  readonly page: number;
  /** Undefined where it is not known. */
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
