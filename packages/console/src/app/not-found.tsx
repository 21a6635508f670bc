// Shown for an address without a page.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/outcomes.tsx';

export function NotFound() {
  return (
    <Empty
      title="Page not found"
      action={
        <Button component={Link} to="/">
          Go to the overview
        </Button>
      }
    >
      The address may be old or mistyped.
    </Empty>
  );
}
