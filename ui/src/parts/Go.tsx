/** A link inside the page. The screen it leads to is loaded as soon as the pointer is near. */
import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { useGo } from '../app/links.ts';
import { pagePath } from '../data/address.ts';

interface GoProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An address of `linksOf`: path and query. */
  readonly to: string;
}

export function Go({ to, onClick, ...rest }: GoProps) {
  const go = useGo();
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    // Other clicks open a new tab or window, as everywhere.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    go(to);
  };
  const preload = () => {
    void router.preloadRoute({ to: to.split('?')[0] ?? to } as never).catch(() => {});
  };
  return (
    <a {...rest} href={`${pagePath}${to}`} onClick={follow} onPointerEnter={preload} onFocus={preload} />
  );
}
