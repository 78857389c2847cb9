import { Fragment } from 'preact'

export function MethodLabel({ method }: { readonly method: string }) {
  return <span class={`docs-method docs-method-${method.toLowerCase()}`}>{method}</span>
}

export function Path({ path }: { readonly path: string }) {
  return (
    <span class="docs-path mono breaks">
      {path.split(/(?=\/)/).map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
