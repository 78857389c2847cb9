import type { ComponentChildren } from 'preact'
import { Button, CopyButton } from './controls.tsx'
import { Badge, Mark } from './marks.tsx'
import { toPlural } from './words.ts'
import { toMessage } from '../data/control.ts'
import { usePanel } from '../data/panel.ts'
import { type PanelResource, useResource } from '../data/resource.ts'
import type { FileProblem } from '../data/shapes.ts'

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

export function ProblemsBar() {
  const { control } = usePanel()
  const problems = useResource(() => control.call('GET /problems'), [], ['problems'])
  const error = problems.error.value
  if (error)
    return (
      <section class="section">
        <h2>Problems in files</h2>
        <ErrorState error={error} onRetry={problems.reload} />
      </section>
    )
  const { data = [], watching } = problems.value.value ?? {}
  if (data.length === 0) return null
  return (
    <section class="section callout callout-bad" role="alert">
      <h2>
        <Badge tone="bad">{toPlural(data.length, 'problem')} in files</Badge>
      </h2>
      <p>
        Of files that it reads, Greenhouse keeps what it loaded before.{' '}
        {watching
          ? 'It reloads the files when you save them.'
          : 'Start with --watch to reload the files when you save them.'}
      </p>
      <ul>
        {data.map((problem) => {
          const place = toFilePosition(problem)
          return (
            <li class="inline-list" key={place + problem.message}>
              <span class="row">
                <code>{place}</code>
                <CopyButton text={place} what={place} />
              </span>
              <span>{problem.message}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function toFilePosition({ file, line, column }: FileProblem): string {
  return [file, line, column].filter((part) => part !== null && part !== undefined).join(':')
}
