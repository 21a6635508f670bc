// A page that needs a right: without it, the page says which one is missing.
import type { RouteComponent } from '@tanstack/react-router';
import { useParams } from '@tanstack/react-router';
import type { PageRoute } from '../kit/routes.ts';
import { useIsMayPending, useMay } from '../kit/use-may.ts';
import { Empty, Skeleton } from '../ui/outcomes.tsx';

export function guarded({ component: Component, needs, ...page }: PageRoute): PageRoute {
  if (needs === undefined) return { component: Component, ...page };
  const [resource, action] = needs;
  const Guarded: RouteComponent = () => {
    const { uuid } = useParams({ strict: false });
    const may = useMay();
    const isPending = useIsMayPending();
    // The object in the address of a page on certificates is one of its RA profile's: the platform decides.
    const right = uuid === undefined || resource === 'certificates' ? needs : ([resource, action, uuid] as const);
    if (may(right)) return <Component />;
    if (isPending) return <Skeleton what="the page" />;
    return (
      <div role="alert">
        <Empty title="Permission denied">{`You need the permission ${action} on ${resource} for this page.`}</Empty>
      </div>
    );
  };
  // The router loads the script of a page before it is opened.
  Object.assign(Guarded, { preload: Component.preload });
  return { component: Guarded, ...page };
}
