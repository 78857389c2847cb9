import { Fragment } from 'preact'

/** A request method, in a column as wide as the longest. */
export function MethodLabel({ method }: { readonly method: string }) {
  return <span class={`docs-method docs-method-${method.toLowerCase()}`}>{method}</span>
}

/** A path that can wrap before each slash. */
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
