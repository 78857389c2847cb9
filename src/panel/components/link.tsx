import type { JSX } from 'preact'
import { usePanel } from '../data/panel.ts'
import type { RouteChange } from '../data/router.ts'

interface LinkProps extends Pick<JSX.IntrinsicElements['a'], 'class' | 'title' | 'aria-label' | 'children'> {
  readonly to: RouteChange
}

export function Link({ to, ...attributes }: LinkProps) {
  return <a href={usePanel().router.href(to)} {...attributes} />
}
