import { Badge, CopyButton, ErrorState, toPlural } from '../components/index.ts'
import { usePanel } from '../data/panel.ts'
import { useResource } from '../data/resource.ts'
import type { FileProblem } from '../data/shapes.ts'

export function ProblemsBar() {
  const { api } = usePanel()
  const problems = useResource(() => api.problems(), [], { reloadOn: ['problems'] })
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
