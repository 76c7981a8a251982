/** A link inside the page. The screen it leads to is loaded as soon as the pointer is near. */
import type { ComponentProps, MouseEvent } from 'react';
import { pagePath } from '../data/address.ts';
import { goTo } from '../route/address.ts';
import { isNear } from '../route/near.ts';

interface GoProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An address of `linksOf`: path and query. */
  readonly to: string;
}

export function Go({ to, onClick, ...rest }: GoProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    // Other clicks open a new tab or window, as everywhere.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    event.preventDefault();
    goTo(to);
  };
  const preload = () => isNear(to);
  return (
    <a {...rest} href={`${pagePath}${to}`} onClick={follow} onPointerEnter={preload} onFocus={preload} />
  );
}
