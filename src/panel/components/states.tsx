import type { ComponentChildren } from 'preact'
import { Button } from './controls.tsx'
import { Mark } from './marks.tsx'
import { toMessage } from '../data/control.ts'
import type { PanelResource } from '../data/resource.ts'

export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <p class="state-title">{title}</p>
      {children && <div class="muted breaks">{children}</div>}
    </div>
  )
}

export function ErrorState({ error, onRetry }: { error: Error; onRetry: (() => unknown) | undefined }) {
  return (
    <div class="state" role="alert">
      <p class="state-title">
        <Mark tone="bad" /> That did not work
      </p>
      <p class="muted breaks">{toMessage(error)}</p>
      {onRetry && <Button icon="redo" onClick={onRetry} text="Try again" />}
    </div>
  )
}

export function Skeleton({ lines = 3 }: { readonly lines?: number | undefined }) {
  return (
    <div role="progressbar" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div class="skeleton-line" key={index} />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  readonly resource: PanelResource<T>
  readonly children: (value: T) => ComponentChildren
  readonly lines?: number
}

export function Loaded<T>({ resource, children, lines }: LoadedProps<T>) {
  const value = resource.value.value
  const error = resource.error.value
  return (
    <>
      {error && <ErrorState error={error} onRetry={resource.reload} />}
      {value !== undefined ? children(value) : !error && <Skeleton lines={lines} />}
    </>
  )
}
