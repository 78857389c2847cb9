import type { ComponentChildren } from 'preact'

export function Facts({ kind = '', children }: { readonly kind?: string; readonly children: ComponentChildren }) {
  return <dl class={`facts ${kind}`}>{children}</dl>
}

export function Fact({ title, children }: { readonly title: ComponentChildren; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function HeaderFacts({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return (
    <Facts kind="facts-headers">
      {Object.entries(headers).map(([name, value]) => (
        <Fact key={name} title={name}>
          {value}
        </Fact>
      ))}
    </Facts>
  )
}

export function Prose({ text }: { readonly text: string }) {
  return (
    <div class="prose">
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index}>
          {paragraph.split('`').map((part, side) => (side % 2 === 1 ? <code key={side}>{part}</code> : part))}
        </p>
      ))}
    </div>
  )
}
