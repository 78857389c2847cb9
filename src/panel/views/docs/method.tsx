import { Fragment } from 'preact'

/** Shows a request method, coloured by what it does. */
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
